/** The events that a wish is about, and how a sentence names its words, so that none passes as understood. */
import type { Occurrence } from "./occurrences.ts"

export interface Sought {
  readonly found: ReadonlyArray<Occurrence>
  /** ` about "dentist"`; empty without a wish. */
  readonly about: string
  /** ` Nothing there is about "tomorow".`: the words that no event has. */
  readonly unmet: string
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

/** Shorter words of a wish say nothing about an event. */
const MIN_LETTERS = 3

/** Whether a word begins one of the event's. */
const has = ({ location, title }: Occurrence, word: string): boolean =>
  wordsOf(`${title} ${location}`).some((one) => one.startsWith(word.replace(/s$/, "")))

const quoted = (words: ReadonlyArray<string>): string => words.map((word) => `"${word}"`).join(", ")

/** Every event without a wish, else those that have one of its words. */
export const soughtEvents = (events: ReadonlyArray<Occurrence>, wish: unknown): Sought => {
  if (typeof wish !== "string") return { found: events, about: "", unmet: "" }
  const words = wordsOf(wish)
  const long = words.filter((word) => word.length >= MIN_LETTERS)
  const found = events.filter((one) => long.some((word) => has(one, word)))
  if (found.length === 0) return { found, about: ` about "${wish}"`, unmet: "" }
  const isMet = (word: string) => found.some((one) => has(one, word))
  const lacking = words.filter((word) => !isMet(word))
  return {
    found,
    about: ` about ${quoted(words.filter(isMet))}`,
    unmet: lacking.length === 0 ? "" : ` Nothing there is about ${quoted(lacking)}.`,
  }
}
