/** From the path of a stage occurrence to the path of what it happens inside of. */

/** `work[2]/results` → `work[2]` → `work`; undefined at the top. */
export const parentPath = (path: string): string | undefined => {
  const slash = path.lastIndexOf("/")
  const bracket = path.endsWith("]") ? path.lastIndexOf("[") : -1
  if (bracket > slash) return path.slice(0, bracket)
  return slash === -1 ? undefined : path.slice(0, slash)
}

/** How an occurrence is called among its siblings: `results`, `plan (again)`, `[7]`. */
export const occurrenceName = (path: string): string => {
  const segment = path.slice(path.lastIndexOf("/") + 1)
  const item = /\[\d+\]$/.exec(segment)
  if (item !== null) return item[0]
  const rerun = /^(.*)~(\d+)$/.exec(segment)
  return rerun === null ? segment : `${rerun[1]} #${rerun[2]}`
}
