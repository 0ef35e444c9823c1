/**
 * Finds phrases in a text by its words: case, accents and punctuation inside a sentence do not matter. A phrase is words, of
 * which `guarant*` is the start of one, `profit|gain` are alternatives, and `...` is up to three words.
 */
import {
  foundPhrase,
  longerMatch,
  LONGEST_PHRASE,
  MAX_GAP,
  phrasesOf,
  reachesEnd,
  type FoundPhrase,
  type Match,
  type Phrase,
} from "./Phrase.ts"
import { phraseIndex } from "./phraseIndex.ts"
import { folded, MAX_WORD, wordsOf, type Word } from "./words.ts"

export interface PhraseFinder {
  readonly find: (text: string) => ReadonlyArray<FoundPhrase>
  /** Start of the end of a text that more text could turn into a phrase; else the text's length. */
  readonly pending: (text: string) => number
}

export interface PhraseOptions {
  /** Words that undo a phrase after them: `not`, `never`. */
  readonly negations?: ReadonlyArray<string>
}

export const phraseFinder = (
  phrases: ReadonlyArray<string>,
  { negations = [] }: PhraseOptions = {},
): PhraseFinder => {
  const compiled = phrasesOf(phrases)
  const candidates = phraseIndex(compiled)
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
  const find = (text: string): ReadonlyArray<FoundPhrase> => {
    const words = wordsOf(text)
    const found: Array<FoundPhrase> = []
    for (let first = 0; first < words.length; first++) {
      let longest: Match<Phrase> | undefined
      for (const one of candidates(words, first)) {
        longest = longerMatch(words, first, one, longest)
      }
      if (longest === undefined || undoBefore(words, first) !== undefined) continue
      found.push(foundPhrase(words, first, longest))
      first = longest.last
    }
    return found
  }
  return {
    find,
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
