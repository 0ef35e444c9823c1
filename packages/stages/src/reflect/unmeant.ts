/** The words of a clause that a fixed phrase takes their sense: an idiom its own, a dismissal those around it. */
import type { Grammar, Word } from "@planloom/planning/reading"

type Phrases = Pick<Grammar, "dismissals" | "idioms" | "resumes">

/** Places of the words. A dismissal holds between two words that resume a wish. */
export const unmeant = (
  words: ReadonlyArray<Word>,
  { dismissals, idioms, resumes }: Phrases,
): ReadonlySet<number> => {
  const found = new Set(placesOf(words, idioms))
  const ends = words.flatMap(({ word }, at) => (resumes.includes(word) ? [at] : []))
  for (const place of placesOf(words, dismissals)) {
    const from = ends.findLast((end) => end < place) ?? -1
    const to = ends.find((end) => end > place) ?? words.length
    for (let at = from + 1; at < to; at++) found.add(at)
  }
  return found
}

/** Of every word of every phrase. */
export const placesOf = (
  words: ReadonlyArray<Word>,
  phrases: ReadonlyArray<string>,
): ReadonlyArray<number> =>
  phrases.flatMap((phrase) => {
    const parts = phrase.split(" ")
    return [...words.keys()]
      .filter((at) => parts.every((part, offset) => words[at + offset]?.word === part))
      .flatMap((at) => parts.map((_, offset) => at + offset))
  })
