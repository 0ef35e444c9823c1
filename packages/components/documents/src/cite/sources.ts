/** The passages that an answer rests on: their numbers, their places as a person reads them, and what was not read. */
import type { GiveText, Json, JsonObject } from "@planloom/plugin/effect"

/** A passage as a search gives it. */
export interface Passage {
  readonly library: string
  readonly id: string
  readonly path: string
  readonly heading: string
  readonly first_line?: number
  readonly last_line?: number
  readonly page?: number
  /** The time of the last change of its file, in UTC. */
  readonly modified?: string
  readonly text: string
}

/** The part of a search's output that is read. */
export interface SearchOutput {
  readonly found: boolean
  readonly passages: ReadonlyArray<Passage>
  readonly unknown?: ReadonlyArray<string>
  readonly results?: ReadonlyArray<{ readonly unknown: ReadonlyArray<string> }>
  readonly unreadable?: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  readonly cut?: ReadonlyArray<{ readonly path: string; readonly reason: string }>
}

export interface Source {
  readonly number: number
  readonly passage: Passage
}

/** Names of files in a sentence. */
const MAX_FILES = 5

/** Passages with the ids in their order, then the others as they were. An id of no passage changes nothing. */
export const inOrder = (
  passages: ReadonlyArray<Passage>,
  ids: ReadonlyArray<string>,
): ReadonlyArray<Passage> => {
  const placeIn = new Map(ids.toReversed().map((id, at) => [id, ids.length - at]))
  const rank = ({ id }: Passage) => placeIn.get(id) ?? Infinity
  return passages.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)))
}

/** Passages from the first on, as many as have at most so many characters; at least one. */
export const numbered = (
  passages: ReadonlyArray<Passage>,
  characters: number,
): ReadonlyArray<Source> => {
  let left = characters
  return passages
    .filter(({ text }, at) => (left -= text.length) >= 0 || at === 0)
    .map((passage, at) => ({ number: at + 1, passage }))
}

/** `returns.md:3–5 (Shop › Refunds)`, `guide.pdf, p. 3`. */
export const placeOf = ({
  first_line: first,
  heading,
  last_line: last,
  page,
  path,
}: Passage): string => {
  const lines = first === undefined ? "" : first === last ? `:${first}` : `:${first}–${last}`
  const at = page === undefined ? lines : `, p. ${page}`
  return `${oneLine(path)}${at}${heading === "" ? "" : ` (${oneLine(heading)})`}`
}

/** Control characters of a name neither end a line nor hide a part of it. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim()

export const sourceLines = (sources: ReadonlyArray<Source>, text: GiveText): string =>
  [
    text("sources"),
    ...sources.map(({ number, passage }) => `[${number}] ${placeOf(passage)}`),
  ].join("\n")

/** Files that the search could not read, for a person; empty if it has read everything. */
export const notRead = ({ cut = [], unreadable = [] }: SearchOutput, text: GiveText): string =>
  [
    ...(unreadable.length === 0 ? [] : [text("unread", { values: { files: listed(unreadable) } })]),
    ...(cut.length === 0 ? [] : [text("partly_read", { values: { files: listed(cut) } })]),
  ].join(" ")

const listed = (
  files: ReadonlyArray<{ readonly path: string; readonly reason: string }>,
): string => {
  const named = files
    .slice(0, MAX_FILES)
    .map(({ path, reason }) => `${oneLine(path)} (${oneLine(reason)})`)
  return [...named, ...(files.length > MAX_FILES ? [`+${files.length - MAX_FILES}`] : [])].join(
    ", ",
  )
}

/** Words that no document has. */
export const unknownWords = ({ results = [], unknown }: SearchOutput): ReadonlyArray<string> =>
  unknown ?? [...new Set(results.flatMap((one) => one.unknown))]

/** A source in the output. */
export const sourceValue = ({ number, passage }: Source): JsonObject => {
  const { text: _, ...place } = passage
  const { first_line, heading, id, last_line, library, modified, page, path } = place
  return {
    number,
    library,
    id,
    path,
    heading,
    ...defined({ first_line, last_line, page, modified }),
    place: placeOf(passage),
  }
}

const defined = (values: { readonly [name: string]: Json | undefined }): JsonObject =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
