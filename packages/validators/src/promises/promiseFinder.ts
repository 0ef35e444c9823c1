/** Promises in a sentence: words of commitment together with an outcome of a topic, unless the sentence excuses them. */
import { wordsOf, type Word } from "@planloom/review-kit"
import { ANY_TOPIC, lexiconOf, type Lexicon, type PromiseTopic, type Read } from "./Lexicon.ts"
import { languagesOf, type Language } from "./languagesOf.ts"
import { comingWords } from "./comingWords.ts"
import { isExcused } from "./isExcused.ts"
import { promiseOf } from "./promiseOf.ts"
import { Reading } from "./Reading.ts"

export interface FoundPromise {
  readonly topic: PromiseTopic
  readonly start: number
  readonly end: number
}

const QUESTION = /\?["'”’»)\]\s]*$/

export const promiseFinder = (
  topics: ReadonlyArray<PromiseTopic>,
): ((sentence: string) => FoundPromise | undefined) => {
  const lexicons = new Map<Language, Lexicon>()
  const lexiconIn = (language: Language): Lexicon => {
    const made = lexicons.get(language) ?? lexiconOf(language, topics)
    lexicons.set(language, made)
    return made
  }
  const hasAny = topics.includes(ANY_TOPIC)
  return (sentence) => {
    if (QUESTION.test(sentence)) return undefined
    const read = readOf(sentence)
    for (const language of languagesOf(read.words)) {
      const found = promiseIn(read, lexiconIn(language), hasAny)
      if (found !== undefined) return found
    }
    return undefined
  }
}

const promiseIn = (read: Read, lexicon: Lexicon, hasAny: boolean): FoundPromise | undefined => {
  const cues = lexicon.cues(read).filter(({ role }) => role.role !== "other")
  const coming = comingWords(read, lexicon.forms)
  // Most sentences of a text have neither.
  if (cues.length === 0 && coming.length === 0) return undefined
  const reading = new Reading(read, cues, lexicon.uses(read), coming, lexicon)
  return isExcused(reading) ? undefined : promiseOf(reading, hasAny)
}

/** A semicolon and the point within a number end no sentence. */
const readOf = (sentence: string): Read => {
  const text = sentence.replaceAll(/(?<=\p{N})\.(?=\p{N})|;/gu, ",")
  const words = wordsOf(text)
  return {
    text,
    words:
      text.includes(" %") || text.includes("\u00A0%")
        ? words.map((word) => withPercent(text, word))
        : words,
  }
}

/** "100 %" is "100%". */
const withPercent = (text: string, word: Word): Word =>
  /\p{N}$/u.test(word.word) && /^[ \u00A0]%/.test(text.slice(word.end, word.end + 2))
    ? { ...word, word: `${word.word}%`, end: word.end + 2 }
    : word
