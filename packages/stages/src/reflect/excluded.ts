/** The words of a clause that a negation excludes from a wish: "no prices", "without the pairs". */
import type { Grammar, Word } from "@planloom/planning/reading"
import { placesOf } from "./unmeant.ts"

type Phrases = Pick<Grammar, "doubts" | "omissions" | "resumes">

/** For each word. `isNegated`: a negation before the clause holds on. */
export const excluded = (
  words: ReadonlyArray<Word>,
  phrases: Phrases,
  isNegated = false,
): ReadonlyArray<boolean> => {
  const excluding = negations(words, phrases)
  let isOut = isNegated
  return words.map(({ word }, at) => {
    if (excluding.has(at)) isOut = true
    else if (phrases.resumes.includes(word)) isOut = false
    return isOut
  })
}

/** Places of omissions, and of negations that are no part of a doubt. */
const negations = (words: ReadonlyArray<Word>, { doubts, omissions }: Phrases): Set<number> => {
  const found = new Set(words.flatMap(({ operator }, at) => (operator === "negation" ? [at] : [])))
  for (const at of placesOf(words, doubts)) found.delete(at)
  for (const at of placesOf(words, omissions)) found.add(at)
  return found
}

/** Whether a clause only continues a list: "without prices and pairs". */
export const isListed = (words: ReadonlyArray<Word>): boolean =>
  words.every(({ operator }) => operator === undefined)
