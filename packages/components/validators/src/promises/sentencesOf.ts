/** Sentences of a text, the same however a stream is cut: all but the last are complete, whatever comes after. */
import words from "./words.json" with { type: "json" }

/** Most characters of a sentence; a longer one is read in pieces. */
const MAX_SENTENCE = 480

/** Closing quotes and brackets that still belong to a sentence, and the character by which its end is sure. */
const MAX_CLOSERS = 3
const END = /[!?…]["'”’»)\]]{0,3}(?=[^"'”’»)\]])|\n|\.["'”’»)\]]{0,3}(?=\s)/g

/** Most characters at the end of a text that may belong to a sentence that has not ended. */
export const LONGEST_OPEN = MAX_SENTENCE + MAX_CLOSERS + 1

export interface Sentence {
  readonly start: number
  readonly end: number
}

const abbreviations = new Set(words.abbreviations)
const isAbbreviation = (text: string, point: number): boolean => {
  const [word = ""] = /\p{L}*$/u.exec(text.slice(Math.max(0, point - 8), point)) ?? []
  return abbreviations.has(word.toLowerCase())
}

/** The complete sentences, and where the last one starts, which more text may lengthen. */
export const sentencesOf = (
  text: string,
): { readonly complete: ReadonlyArray<Sentence>; readonly open: number } => {
  const complete: Array<Sentence> = []
  let start = 0
  for (const { 0: mark, index } of text.matchAll(END)) {
    if (mark.startsWith(".") && isAbbreviation(text, index)) continue
    const end = index + mark.length
    complete.push(...piecesOf(text, start, end, MAX_SENTENCE))
    start = end
  }
  const open = piecesOf(text, start, text.length, LONGEST_OPEN - 1)
  return { complete: [...complete, ...open.slice(0, -1)], open: open.at(-1)!.start }
}

/** The sentence in pieces, of which the last has at most `last` characters. */
const piecesOf = (
  text: string,
  from: number,
  to: number,
  last: number,
): ReadonlyArray<Sentence> => {
  const pieces: Array<Sentence> = []
  let start = from
  while (to - start > last) {
    const end = pieceEnd(text, start)
    pieces.push({ start, end })
    start = end
  }
  return [...pieces, { start, end: to }]
}

/** End of the first piece of a sentence that is too long: after its last space. */
const pieceEnd = (text: string, start: number): number => {
  const space = text.slice(start, start + MAX_SENTENCE).search(/\s\S*$/)
  return start + (space > 0 ? space + 1 : MAX_SENTENCE)
}
