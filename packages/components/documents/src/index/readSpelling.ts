/** Reads a word of a query that no passage has as the word of a passage that is spelled nearly the same. */
import { editDistance, toleratedTypos } from "@planloom/planning"
import type { DocumentFile } from "./DocumentFile.ts"
import { isGrammar } from "./termsOf.ts"

/** A word of a query, and the word of passages that it is read as. */
export interface ReadWord {
  readonly word: string
  readonly as: string
}

/** More words at one distance are no evidence for one of them, and each is counted. */
const MAX_NEAR = 20

/** Counts the passages that may be found and have all of the words. */
export type CountPassages = (words: ReadonlyArray<string>) => number

/**
 * The word nearest to it that passages have, with at most one typo from four letters on and two from eight on; undefined
 * without one, or with several that are equally near and find different passages. It begins with the same letter, unless the
 * first two are swapped: people rarely mistype the first letter, and other words often differ in it.
 */
export const readSpelling = (
  index: DocumentFile,
  word: string,
  count: CountPassages,
): string | undefined => {
  const folded = word.normalize("NFD").replace(/\p{M}/gu, "")
  const most = /^\p{L}+$/u.test(folded) ? toleratedTypos(folded) : 0
  for (let distance = 1; distance <= most; distance++) {
    const near = wordsNear(index, folded, distance)
    if (near.length > MAX_NEAR) return undefined
    const found = near.flatMap((term) => {
      const passages = count([term])
      return passages === 0 ? [] : [{ term, passages }]
    })
    const [best, ...others] = found.toSorted((a, b) => b.passages - a.passages)
    if (best === undefined) continue
    // Forms of one word find the same passages.
    const isOne = others.every(
      ({ passages, term }) =>
        passages === best.passages && count([best.term, term]) === best.passages,
    )
    return isOne ? best.term : undefined
  }
  return undefined
}

/** Words of the index at exactly this distance. */
const wordsNear = (index: DocumentFile, word: string, distance: number): ReadonlyArray<string> => {
  const [first = "", second = ""] = word
  const within = (start: string) =>
    index
      .all(
        "SELECT term FROM vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?",
        start,
        `${start}\u{10ffff}`,
        word.length - distance,
        word.length + distance,
      )
      .map(({ term }) => String(term))
  return [...within(first), ...(first === second ? [] : within(second + first))].filter(
    (term) =>
      /^\p{L}+$/u.test(term) &&
      !isGrammar(term) &&
      toleratedTypos(term) > 0 &&
      editDistance(word, term, distance) === distance,
  )
}
