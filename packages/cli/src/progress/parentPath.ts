/** Derives the path of the enclosing occurrence, and display names, from the path of a stage occurrence. */

/** Maps `work[2]/results` to `work[2]`, and that to `work`; undefined at the top. */
export const parentPath = (path: string): string | undefined => {
  const slash = path.lastIndexOf("/")
  const bracket = path.endsWith("]") ? path.lastIndexOf("[") : -1
  if (bracket > slash) return path.slice(0, bracket)
  return slash === -1 ? undefined : path.slice(0, slash)
}

/** Returns the name of an occurrence among its siblings: `results`, `plan #2`, `[7]`. */
export const occurrenceName = (path: string): string => {
  const segment = path.slice(path.lastIndexOf("/") + 1)
  const item = /\[\d+\]$/.exec(segment)
  if (item !== null) return item[0]
  const rerun = /^(.*)~(\d+)$/.exec(segment)
  return rerun === null ? segment : `${rerun[1]} #${rerun[2]}`
}
