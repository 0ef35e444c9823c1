/** A request beside what was made of it: the words that are open, and the parts of a plan that no word asked for. */
import type { Claim } from "./Claim.ts"
import type { Grammar } from "./words/Grammar.ts"
import { readWords, type Word } from "./words/Word.ts"

export interface Reading {
  readonly text: string
  readonly words: ReadonlyArray<Word>
  readonly claims: ReadonlyArray<Claim>
}

/** A part of a plan. */
export interface PlanPart {
  /** For people: `group_by region`. */
  readonly label: string
  /** The part is backed by a word that is used for any of these requirements. */
  readonly uses: ReadonlyArray<string>
}

export const readingOf = (
  text: string,
  grammar: Grammar,
  claims: ReadonlyArray<Claim>,
): Reading => ({ text, words: readWords(text, grammar), claims })

export const covers = (claim: Claim, word: Word): boolean =>
  claim.start < word.end && word.start < claim.end

/** Content words and operators without a use, in reading order. */
export const openWords = ({ claims, words }: Reading): ReadonlyArray<Word> =>
  words.filter((word) => word.class !== "function" && !claims.some((one) => covers(one, word)))

/** Claims that rest on an interpretation, and that no certain claim confirms. */
export const uncertainClaims = ({ claims, words }: Reading): ReadonlyArray<Claim> =>
  claims.filter(
    (claim) =>
      !claim.certain &&
      words.some(
        (word) =>
          covers(claim, word) && !claims.some((other) => other.certain && covers(other, word)),
      ),
  )

/** Parts of a plan that no word of the request is used for. */
export const unbacked = (
  { claims }: Reading,
  parts: ReadonlyArray<PlanPart>,
): ReadonlyArray<PlanPart> =>
  parts.filter(({ uses }) => !claims.some(({ used }) => uses.includes(used)))

/** Weight of a word whose claims all rest on an interpretation, between an open word's 0 and a settled word's 1. */
const UNCERTAIN_WEIGHT = 0.5

/**
 * 0…1: the share of words with content that have a use; a word that is only interpreted counts half. 1 for a text
 * without content. Computed from claims, so that no rule can state a confidence of its own.
 */
export const confidenceOf = ({ claims, words }: Reading): number => {
  const heavy = words.filter((word) => word.class !== "function")
  if (heavy.length === 0) return 1
  const weights = heavy.map((word) => {
    const uses = claims.filter((claim) => covers(claim, word))
    if (uses.length === 0) return 0
    return uses.some(({ certain }) => certain) ? 1 : UNCERTAIN_WEIGHT
  })
  const sum = weights.reduce<number>((total, weight) => total + weight, 0)
  return Math.round((100 * sum) / heavy.length) / 100
}

/** Neighbouring open words as phrases with their place: what a clarifying question quotes. */
export const openPhrases = (
  reading: Reading,
): ReadonlyArray<Pick<Word, "start" | "end" | "text">> => {
  const open = new Set(openWords(reading))
  const phrases: Array<{ start: number; end: number; text: string }> = []
  let isNeighbour = false
  for (const word of reading.words) {
    const { end, start } = word
    const last = phrases.at(-1)
    if (!open.has(word)) isNeighbour = false
    else if (isNeighbour && last !== undefined) {
      last.end = end
      last.text = reading.text.slice(last.start, end)
    } else {
      phrases.push({ start, end, text: reading.text.slice(start, end) })
      isNeighbour = true
    }
  }
  return phrases
}

const isOwn = ({ by }: Claim): boolean => by === "tool" || by === "typo"

/** Whether a word is the tool's own. */
export const hasOwn = ({ claims }: Reading): boolean => claims.some(isOwn)

const isTimeUnit = (word: string): boolean => /^(day|week|month|year|hour|minute)s?$/i.test(word)

/** Whether a word of the request is the tool's own and says more than a time or an amount. */
export const namesTool = (reading: Reading): boolean =>
  reading.claims.some(
    (claim) =>
      isOwn(claim) &&
      reading.words.some(
        (word) =>
          covers(claim, word) &&
          word.operator !== "time" &&
          word.operator !== "quantity" &&
          !isTimeUnit(reading.text.slice(word.start, word.end)),
      ),
  )

/**
 * Whether the request is about what the tool does, as far as its words say: one of them names the tool, or none of
 * them is unknown. "Is this the last day?" does not ask for the last file.
 */
export const isAbout = (reading: Reading): boolean =>
  openWords(reading).every((word) => word.class !== "content") || namesTool(reading)
