/** Derives the path of the enclosing occurrence, and display names, from the path of a stage occurrence. */
import { lastOf, outerNames } from "@planloom/plugin/segments"

/** Maps `work[2]/results` to `work[2]`, and that to `work`; undefined at the top. */
export const parentPath = (path: string): string | undefined => {
  for (const outer of outerNames(path)) return outer
  return undefined
}

/** Returns the name of an occurrence among its siblings: `results`, `plan #2`, `[7]`. */
export const occurrenceName = (path: string): string => {
  const { id, indices, round } = lastOf(path)
  const item = indices.at(-1)
  if (item !== undefined) return `[${item}]`
  return round === 1 ? id : `${id} #${round}`
}
