/** The words of a clause that a negation excludes from a wish: "no prices", "without the pairs". */
import type { Grammar, Word } from "@planloom/planning/reading"

/** For each word. `isNegated`: a negation before the clause holds on. */
export const excluded = (
  words: ReadonlyArray<Word>,
  { doubts, resumes }: Pick<Grammar, "doubts" | "resumes">,
  isNegated = false,
): ReadonlyArray<boolean> => {
  const excluding = negations(words, doubts)
  let isOut = isNegated
  return words.map(({ word }, at) => {
    if (excluding.has(at)) isOut = true
    else if (resumes.includes(word)) isOut = false
    return isOut
  })
}

/** Places of negations that are no part of a doubt. */
const negations = (words: ReadonlyArray<Word>, doubts: ReadonlyArray<string>): Set<number> => {
  const found = new Set(words.flatMap(({ operator }, at) => (operator === "negation" ? [at] : [])))
  for (const doubt of doubts) {
    const phrase = doubt.split(" ")
    for (const at of words.keys()) {
      if (phrase.every((part, offset) => words[at + offset]?.word === part))
        for (const offset of phrase.keys()) found.delete(at + offset)
    }
  }
  return found
}

/** Whether a clause only continues a list: "without prices and pairs". */
export const isListed = (words: ReadonlyArray<Word>): boolean =>
  words.every(({ operator }) => operator === undefined)
