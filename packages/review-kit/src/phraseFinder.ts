/**
 * Finds phrases in a text by its words: case, accents and punctuation inside a sentence do not matter. A phrase is words, of
 * which `guarant*` is the start of one, `profit|gain` are alternatives, and `...` is up to three words.
 */
import { folded, MAX_WORD, wordsOf, type Word } from "./words.ts"

/** Words that `...` can stand for, and that may lie between a negation and a phrase. */
const MAX_GAP = 3

/** Most words of a phrase; the schema of phrases limits their characters. */
const MAX_PARTS = 12

/** Letters of a first word by which phrases are found. */
const INDEXED_LETTERS = 3

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

export interface FoundPhrase {
  readonly phrase: string
  readonly start: number
  readonly end: number
}

export interface PhraseFinder {
  readonly find: (text: string) => ReadonlyArray<FoundPhrase>
  /** As `find`, in a text whose words are known. */
  readonly findIn: (words: ReadonlyArray<Word>) => ReadonlyArray<FoundPhrase>
  /** Start of the end of a text that more text could turn into a phrase; else the text's length. */
  readonly pending: (text: string) => number
}

export interface PhraseOptions {
  /** Words that undo a phrase after them: `not`, `never`. */
  readonly negations?: ReadonlyArray<string>
}

interface Alternatives {
  readonly words: ReadonlySet<string>
  /** Starts of words. */
  readonly starts: ReadonlyArray<string>
}

type Part = "gap" | Alternatives

interface Phrase {
  readonly phrase: string
  readonly parts: ReadonlyArray<Part>
  /** Place in the list: of two phrases as long as each other the first counts. */
  readonly order: number
}

export const phraseFinder = (
  phrases: ReadonlyArray<string>,
  { negations = [] }: PhraseOptions = {},
): PhraseFinder => {
  const compiled = phrases.map((phrase, order) => ({ phrase, parts: partsOf(phrase), order }))
  const candidates = firstWordIndex(compiled)
  const undo = new Set(negations.map(folded))
  /** Index of a negation that undoes a phrase from this word. */
  const undoBefore = (words: ReadonlyArray<Word>, first: number): number | undefined => {
    for (let at = first; at > Math.max(0, first - MAX_GAP - 1); at--) {
      if (words[at]!.starts) return undefined
      if (undo.has(words[at - 1]!.word)) return at - 1
    }
    return undefined
  }
  /** The first of the words that decide over a phrase from this one: a negation may itself be a part of an undone phrase. */
  const undoneFrom = (words: ReadonlyArray<Word>, first: number): number => {
    let from = first
    for (
      let before = undoBefore(words, first);
      before !== undefined;
      before = undoBefore(words, from)
    ) {
      from = before
    }
    return from
  }
  const findIn = (words: ReadonlyArray<Word>): ReadonlyArray<FoundPhrase> => {
    const found: Array<FoundPhrase> = []
    for (let first = 0; first < words.length; first++) {
      let longest: Phrase | undefined
      let longestLast = -1
      const { start, word } = words[first]!
      for (const one of candidates(word)) {
        const last = lastOf(words, first, one.parts, 0)
        if (last === undefined || last < longestLast) continue
        if (last === longestLast && one.order > longest!.order) continue
        if (words[last]!.end - start > LONGEST_PHRASE) continue
        longest = one
        longestLast = last
      }
      if (longest === undefined || undoBefore(words, first) !== undefined) continue
      found.push({ phrase: longest.phrase, start, end: words[longestLast]!.end })
      first = longestLast
    }
    return found
  }
  return {
    find: (text) => findIn(wordsOf(text)),
    findIn,
    pending: (text) => {
      // With the negations before the first phrase that may still be open.
      const from = Math.max(0, text.length - 2 * LONGEST_PHRASE)
      const words = wordsOf(text.slice(from))
      const after = text.slice(from + (words.at(-1)?.end ?? 0))
      if (/[.!?;\n]/.test(after)) return text.length
      const isCut = /^['’]?$/.test(after)
      const oldest = text.length - LONGEST_PHRASE - MAX_WORD - from
      for (let first = 0; first < words.length; first++) {
        if (words[first]!.end < oldest) continue
        const isOpen =
          (isCut && first === words.length - 1) ||
          compiled.some(({ parts }) => reachesEnd(words, first, parts, isCut)) ||
          isOpenUndo(words, first, undo, isCut)
        if (isOpen) return from + words[undoneFrom(words, first)]!.start
      }
      return text.length
    },
  }
}

const NONE: ReadonlyArray<Phrase> = []

/** Words whose phrases a finder remembers, and the most letters of one: a longer key would hold on to the text it was cut from. */
const MAX_KNOWN = 4096
const MAX_KNOWN_LETTERS = 12

/** Phrases by their first word, or by its start: most words of a text start none. */
const firstWordIndex = (
  phrases: ReadonlyArray<Phrase>,
): ((word: string) => ReadonlyArray<Phrase>) => {
  const byWord = new Map<string, Array<Phrase>>()
  const byStart = new Map<string, Array<Phrase>>()
  const others: Array<Phrase> = []
  const insert = (index: Map<string, Array<Phrase>>, key: string, phrase: Phrase): void => {
    const some = index.get(key)
    if (some === undefined) index.set(key, [phrase])
    else if (some.at(-1) !== phrase) some.push(phrase)
  }
  for (const phrase of phrases) {
    const [part] = phrase.parts
    if (
      part === undefined ||
      part === "gap" ||
      part.starts.some(({ length }) => length < INDEXED_LETTERS)
    ) {
      others.push(phrase)
      continue
    }
    for (const text of part.words) insert(byWord, text, phrase)
    for (const text of part.starts) insert(byStart, text.slice(0, INDEXED_LETTERS), phrase)
  }
  const phrasesFrom = (word: string): ReadonlyArray<Phrase> => {
    const some = [
      ...others,
      ...(byWord.get(word) ?? NONE),
      ...(byStart.get(word.slice(0, INDEXED_LETTERS)) ?? NONE),
    ].filter(({ parts: [part] }) => part === undefined || part === "gap" || fits(word, part))
    return some.length === 0 ? NONE : some
  }
  const known = new Map<string, ReadonlyArray<Phrase>>()
  return (word) => {
    let some = known.get(word)
    if (some === undefined) {
      some = phrasesFrom(word)
      if (known.size === MAX_KNOWN) known.clear()
      if (word.length <= MAX_KNOWN_LETTERS) known.set(word, some)
    }
    return some
  }
}

const partsOf = (phrase: string): ReadonlyArray<Part> =>
  phrase
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, MAX_PARTS)
    .map((word) => (word === "..." ? "gap" : alternativesOf(word.split("|"))))

const alternativesOf = (written: ReadonlyArray<string>): Alternatives => ({
  words: new Set(written.filter((one) => !one.endsWith("*")).map(folded)),
  starts: written.filter((one) => one.endsWith("*")).map((one) => folded(one.slice(0, -1))),
})

const fits = (word: string, { starts, words }: Alternatives): boolean =>
  words.has(word) || starts.some((start) => word.startsWith(start))

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
const reachesEnd = (
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

/** A negation near the end may undo a phrase that is still to come. */
const isOpenUndo = (
  words: ReadonlyArray<Word>,
  at: number,
  undo: ReadonlySet<string>,
  isCut: boolean,
): boolean => {
  if (at < words.length - MAX_GAP - 1 || words.slice(at + 1).some(({ starts }) => starts)) {
    return false
  }
  const { word } = words[at]!
  return isCut && at === words.length - 1
    ? [...undo].some((one) => one.startsWith(word))
    : undo.has(word)
}
