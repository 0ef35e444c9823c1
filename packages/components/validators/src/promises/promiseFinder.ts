/** Promises in a sentence: words of commitment together with an outcome of a topic, unless the sentence excuses them. */
import { wordsOf, type Word } from "@planloom/review-kit"
import { ANY_TOPIC, lexiconOf, type Lexicon, type PromiseTopic, type Read } from "./Lexicon.ts"
import { languagesOf, type Language } from "./languagesOf.ts"
import { comingWords } from "./comingWords.ts"
import { isExcused } from "./isExcused.ts"
import { tokensOf } from "./featuresOf.ts"
import { likenessOf } from "./likeness.ts"
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
    const tokens = tokensOf(read.words)
    const turn = tokens.findLastIndex((one) => TURNS.has(one)) + 1
    const likeness = Math.max(
      likenessOf(tokens),
      turn > 0 && turn < tokens.length ? likenessOf(tokens, turn) : -Infinity,
    )
    const isLikely = likeness > SURE
    for (const language of languagesOf(read.words)) {
      const reading = readingIn(read, lexiconIn(language), isLikely)
      if (reading === undefined) continue
      const found = promiseOf(reading, hasAny) ?? (isLikely ? wholeOf(reading, hasAny) : undefined)
      if (found !== undefined && (likeness > DOUBTFUL || hasVow(reading))) return found
    }
    return undefined
  }
}

/** "I swear": words that nothing around them takes back, unless it is an excuse. */
const hasVow = ({ cues }: Reading): boolean => cues.some(({ role }) => role.role === "vow")

/** Log odds below which words of a commitment are none, and above which a sentence is one without them. */
const DOUBTFUL = -3.6
const SURE = 2.5

/** "I know what they wrote, but I promise …" */
const TURNS: ReadonlySet<string> = new Set(["but", "yet", "however", "pero"])

/** "I promise you that" says nothing yet. */
const LEAST_WORDS = 5

/** The whole sentence, with the topic of its first outcome. */
const wholeOf = (
  { excuses, outcomes, words }: Reading,
  hasAny: boolean,
): FoundPromise | undefined => {
  if (excuses.has("hedges") || words.length < LEAST_WORDS) return undefined
  const topic = outcomes[0]?.role.topic ?? (hasAny ? ANY_TOPIC : undefined)
  return topic === undefined ? undefined : { start: words[0]!.start, end: words.at(-1)!.end, topic }
}

/** Undefined for a sentence that an excuse lets pass, and for most sentences: they have neither a word of commitment nor a future. */
const readingIn = (read: Read, lexicon: Lexicon, isLikely: boolean): Reading | undefined => {
  const cues = lexicon.cues(read).filter(({ role }) => role.role !== "other")
  const coming = comingWords(read, lexicon.forms)
  if (cues.length === 0 && coming.length === 0 && !isLikely) return undefined
  const reading = new Reading(read, cues, lexicon.uses(read), coming, lexicon)
  return isExcused(reading) ? undefined : reading
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
