/** Wording that the tools share. */
import type { Entry } from "../library/EntryReader.ts"
import type { Library } from "../library/Library.ts"

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
export const qualified = (text: string, { left, limits }: Library): string =>
  left
    ? `${text} Only ${limits.files.toLocaleString("en")} files were looked at; there are more.`
    : text

/** Documents whose words are not known: of those found, or where none was, of all that were searched. */
export const unreadOf = (found: ReadonlyArray<Entry>, among: ReadonlyArray<Entry>): string => {
  const waiting = among.filter(({ passing }) => passing === true).length
  const unread = among.filter((one) => one.unread !== undefined).length - waiting
  return [
    ...found
      .filter((one) => one.unread !== undefined)
      .map((one) => `${one.path} is known by its name and title alone: ${one.unread}.`),
    ...(found.length > 0 || unread === 0
      ? []
      : [`The words of ${counted(unread, "document")} could not be read.`]),
    ...(waiting === 0 ? [] : [`${counted(waiting, "document")} could not be read yet: ask again.`]),
  ].join(" ")
}
