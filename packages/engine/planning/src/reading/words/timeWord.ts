/** Words of time: those that name days or parts of them, and words that can be one with a typo. */
import { editDistance, toleratedTypos } from "../../repair/editDistance.ts"
import type { Grammar } from "./Grammar.ts"
import { dayWords } from "../readDays.ts"
import { stem } from "./stem.ts"
import { isQuoted, type Word } from "./Word.ts"

/** Units and parts of the day that name no day alone. */
const units =
  "day week weekend fortnight month quarter year hour minute morning noon afternoon evening night midnight".split(
    " ",
  )

const stems = new Set([...dayWords, ...units].map(stem))

export const isTimeWord = ({ operator, word }: Word): boolean =>
  operator === "time" || stems.has(stem(word))

const known = new WeakMap<Grammar, ReadonlyArray<string>>()

const timeWordsOf = (grammar: Grammar): ReadonlyArray<string> => {
  const before = known.get(grammar)
  if (before !== undefined) return before
  const phrases = grammar.operators.time.flatMap((phrase) => phrase.split(" "))
  const words = [...new Set([...dayWords, ...units, ...phrases])]
  known.set(grammar, words)
  return words
}

/** Whether a word of content can be a word of time with a typo; the first letter is rarely wrong. */
export const isNearTimeWord = (word: Word, grammar: Grammar): boolean => {
  if (word.class !== "content" || isQuoted(word)) return false
  const limit = toleratedTypos(word.word)
  return (
    limit > 0 &&
    timeWordsOf(grammar).some(
      (one) => one[0] === word.word[0] && editDistance(word.word, one, limit) <= limit,
    )
  )
}
