/** Wording that the tools share. */
import type { Library } from "../sandbox/Library.ts"

/** `1 file`, `3 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** The first few in a row, and how many more of `total` there are. */
export const enumerated = (
  items: ReadonlyArray<string>,
  total = items.length,
  shown = 5,
): string => {
  const more = total - Math.min(shown, items.length)
  const named = items.slice(0, shown).join(", ")
  return more > 0 ? `${named} and ${more} more` : named
}

/** A sentence about what was found, with another where not everything was looked at. */
export const toldOf = (text: string, { left, limits }: Library): string =>
  left
    ? `${text} Only ${limits.files.toLocaleString("en")} files were looked at; there are more.`
    : text
