/** A promise of any event: a word of commitment, and a verb in the future of which the speaker is not the subject. */
import { comingOfOthers } from "./comingWords.ts"
import { isFirm, type Cue, type Use } from "./Lexicon.ts"
import { around, isInside, type Place } from "./Place.ts"
import type { Reading } from "./Reading.ts"

/** Least different words beside those of commitment: "I promise you that" alone promises nothing. */
const LEAST = 2
const LEAST_OF_EVENT = 1

export const anyPromise = (reading: Reading, cues: ReadonlyArray<Use<Cue>>): Place | undefined => {
  if (reading.ownActions.some((one) => !isInside(one, reading.cues))) return undefined
  const said = reading.words.filter(
    (word) => !reading.forms.fillers.has(word.word) && !isInside(word, reading.cues),
  )
  const [event] = comingOfOthers(reading)
  const least = event === undefined ? LEAST : LEAST_OF_EVENT
  if (new Set(said.map(({ word }) => word)).size < least) return undefined
  for (const cue of cues) {
    const { role } = cue.role
    if (role === "vow" || (role === "strong" && reading.isOfCustomer && !isOpinion(reading, cue)))
      return event === undefined ? cue : around(cue, event)
    if ((isFirm(cue) || role === "weak" || role === "soft") && event !== undefined)
      return around(cue, event)
  }
  return undefined
}

/** "I'm sure", "estoy seguro": of what is now, as sure as one is. */
const isOpinion = ({ forms, words }: Reading, { start }: Place): boolean =>
  words.some((word) => word.start === start && forms.speakers.has(word.word))
