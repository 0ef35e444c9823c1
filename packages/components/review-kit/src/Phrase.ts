/** A phrase as parts, and where it ends in the words of a text. */
import { folded, type Word } from "./words.ts"

/** Words that `...` can stand for, and that may lie between a negation and a phrase. */
export const MAX_GAP = 3

/** Most words of a phrase; the schema of phrases limits their characters. */
const MAX_PARTS = 12

/** Length of the longest match, in characters. */
export const LONGEST_PHRASE = 480

const LETTERS = "[^\\s.|*]*[\\p{L}\\p{N}][^\\s.|*]*\\*?"
const WORDS = `${LETTERS}(?:\\|${LETTERS})*`

/** JSON Schema of a phrase. */
export const phraseSchema = {
  type: "string",
  minLength: 2,
  maxLength: 160,
  pattern: `^(?:${WORDS}(?: ${WORDS}){0,11}|${WORDS}(?:(?: \\.\\.\\.)? ${WORDS}){0,5})$`,
  description:
    "Up to twelve words. `guarant*` is the start of a word, `profit|gain` are alternatives, and `...` between words is up to three words.",
} as const

export interface Alternatives {
  readonly words: ReadonlySet<string>
  /** Starts of words. */
  readonly starts: ReadonlyArray<string>
}

export type Part = "gap" | Alternatives

export interface Phrase {
  readonly phrase: string
  readonly parts: ReadonlyArray<Part>
  /** Place in the list: of two phrases as long as each other the first counts. */
  readonly order: number
}

export interface FoundPhrase {
  readonly phrase: string
  readonly start: number
  readonly end: number
}

export const phrasesOf = (written: ReadonlyArray<string>): ReadonlyArray<Phrase> => {
  // Many phrases share a long list of alternatives.
  const known = new Map<string, Part>()
  const partOf = (word: string): Part => {
    const part = known.get(word) ?? (word === "..." ? "gap" : alternativesOf(word.split("|")))
    known.set(word, part)
    return part
  }
  return written.map((phrase, order) => ({
    phrase,
    parts: phrase
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, MAX_PARTS)
      .map(partOf),
    order,
  }))
}

const alternativesOf = (written: ReadonlyArray<string>): Alternatives => ({
  words: new Set(written.filter((one) => !one.endsWith("*")).map(folded)),
  starts: written.filter((one) => one.endsWith("*")).map((one) => folded(one.slice(0, -1))),
})

export const fits = (word: string, { starts, words }: Alternatives): boolean =>
  words.has(word) || starts.some((start) => word.startsWith(start))

/** A phrase that starts with a word of a text, and the index of its last word. */
export interface Match<One extends Phrase> {
  readonly phrase: One
  readonly last: number
}

/** The phrase as a match that starts at `first`, if there is one and it is longer than another. */
export const longerMatch = <One extends Phrase>(
  words: ReadonlyArray<Word>,
  first: number,
  phrase: One,
  than: Match<One> | undefined,
): Match<One> | undefined => {
  const last = lastOf(words, first, phrase.parts, 0)
  if (last === undefined || words[last]!.end - words[first]!.start > LONGEST_PHRASE) return than
  if (than === undefined || last > than.last) return { phrase, last }
  return last === than.last && phrase.order < than.phrase.order ? { phrase, last } : than
}

export const foundPhrase = (
  words: ReadonlyArray<Word>,
  first: number,
  { last, phrase }: Match<Phrase>,
): FoundPhrase => ({
  phrase: phrase.phrase,
  start: words[first]!.start,
  end: words[last]!.end,
})

/** Index of the last word of the shortest match of the parts from `index` on that starts with `at`. */
const lastOf = (
  words: ReadonlyArray<Word>,
  at: number,
  parts: ReadonlyArray<Part>,
  index: number,
): number | undefined => {
  const part = parts[index]
  if (part === undefined) return at - 1
  if (part === "gap") {
    for (let skip = 0; skip <= MAX_GAP; skip++) {
      const last = lastOf(words, at + skip, parts, index + 1)
      if (last !== undefined) return last
      if (words[at + skip]?.starts !== false) return undefined
    }
    return undefined
  }
  const word = words[at]
  if (word === undefined || (index > 0 && word.starts) || !fits(word.word, part)) return undefined
  return lastOf(words, at + 1, parts, index + 1)
}

/** Whether the words from `at` to the end start a match; of a cut word, whether it may become a word of one. */
export const reachesEnd = (
  words: ReadonlyArray<Word>,
  at: number,
  parts: ReadonlyArray<Part>,
  isCut: boolean,
  isFirst = true,
): boolean => {
  const [part, ...rest] = parts
  if (part === undefined) return false
  const word = words[at]
  if (word === undefined) return true
  if (part === "gap") {
    for (let skip = 0; skip <= MAX_GAP; skip++) {
      if (reachesEnd(words, at + skip, rest, isCut, false)) return true
      if (words[at + skip]?.starts !== false) return false
    }
    return false
  }
  if (!isFirst && word.starts) return false
  if (isCut && at === words.length - 1) {
    return [...part.words, ...part.starts].some(
      (text) => text.startsWith(word.word) || word.word.startsWith(text),
    )
  }
  return fits(word.word, part) && reachesEnd(words, at + 1, rest, isCut, false)
}
