/** Wording that the tools share. */

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
