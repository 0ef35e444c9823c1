/** Promises in a sentence: words of commitment together with an outcome of a topic, unless the sentence excuses them. */
import { wordsOf } from "@planloom/review-kit"
import { cueFinder, outcomeFinder, type PromiseTopic, type Read } from "./Lexicon.ts"
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
  const findCues = cueFinder(topics)
  const outcomeFinders = topics.map(outcomeFinder)
  return (sentence) => {
    const read = readOf(sentence)
    const cues = findCues(read).filter(({ role }) => role.role !== "other")
    if (cues.length === 0 || QUESTION.test(sentence)) return undefined
    const reading = new Reading(read, cues)
    return reading.isExcused
      ? undefined
      : reading.promise(outcomeFinders.flatMap((find) => find(read)))
  }
}

/** A semicolon and the point within a number end no sentence. */
const readOf = (sentence: string): Read => {
  const text = sentence.replaceAll(/(?<=\p{N})\.(?=\p{N})|;/gu, ",")
  return { text, words: wordsOf(text) }
}
