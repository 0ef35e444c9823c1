/** Misspelled words of a request as the words that wishes have: "liqudity" is liquidity. */
import { editDistance } from "@planloom/planning"
import type { SpokenClause } from "./spokenClauses.ts"

const SHORTEST = 5
/** Words of this length may have one letter for another: "honeypat". "Prise" may be another word. */
const LONG = 7

/** `known`: stems by their words. */
export const withoutTypos = (
  clauses: ReadonlyArray<SpokenClause>,
  known: ReadonlyMap<string, string>,
): ReadonlyArray<SpokenClause> => {
  const stems = new Set(known.values())
  return clauses.map((words) =>
    words.map((word) => {
      if (!word.isContent || word.stem === "" || stems.has(word.stem)) return word
      const near = new Set(
        [...known].flatMap(([one, form]) =>
          isTypoOf(word.word, one) || isTypoOf(word.stem, form) ? [form] : [],
        ),
      )
      return near.size === 1 ? { ...word, stem: [...near][0]! } : word
    }),
  )
}

const isTypoOf = (own: string, one: string): boolean =>
  own.length >= SHORTEST &&
  one.length >= SHORTEST &&
  own[0] === one[0] &&
  editDistance(own, one, 1) === 1 &&
  (own.length !== one.length || own.length >= LONG || isSwap(own, one))

/** Two neighbors that changed places. */
const isSwap = (own: string, one: string): boolean =>
  Array.from(own).toSorted().join("") === Array.from(one).toSorted().join("")
