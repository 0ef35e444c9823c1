/** Whether a sentence speaks of work of the speaker: "rest assured, I'll file the request" is no promise of what comes of it. */
import { isHandedOn } from "./isHandedOn.ts"
import { isNoun, type Outcome, type Use } from "./Lexicon.ts"
import { doMeet, isInside, type Place } from "./Place.ts"
import type { Reading } from "./Reading.ts"
import { hasEnding } from "./wordForms.ts"
import type { Word } from "@planloom/review-kit"

/** Words between "I'll" and an event that it does not bring about. */
const NEAR = 3

/** Spanish words that an infinitive follows: "prometo", "comprometemos a". */
const BEFORE_INFINITIVE = /(?:o|mos|a)$/
/** A Spanish infinitive with its pronouns. */
const INFINITIVE = /^[a-zñ]{2,}(?:ar|er|ir|ír)(?:me|te|se|nos|os|l[aeo]s?)*$/

export const isOwnAction = (reading: Reading, outcomes: ReadonlyArray<Use<Outcome>>): boolean => {
  const { cues, forms, ownActions, words } = reading
  const events = outcomes.filter((one) => !isNoun(one))
  const named: ReadonlyArray<Place> = [...events, ...cues]
  const deeds: ReadonlyArray<Place> = [
    ...events,
    ...cues.filter(
      ({ role }) => role.role !== "weak" && role.role !== "stress" && role.role !== "soft",
    ),
  ]
  return (
    words.some(
      (word, index) =>
        isOwnVerb(reading, word, index) &&
        !forms.causatives.has(reading.written(word)) &&
        !named.some((one) => doMeet(one, word)),
    ) ||
    isHandedOn({ text: reading.text, words }, cues, forms) ||
    ownActions.some(({ end }) =>
      deeds.every((one) => one.end <= end || reading.between(end, one.start) >= NEAR),
    )
  )
}

/** "Escribiré", "que hoy le escribo", "prometo escribirle". */
const isOwnVerb = (reading: Reading, word: Word, index: number): boolean => {
  const { cues, forms, words } = reading
  if (forms.ownEndings.size === 0) return false
  const written = reading.written(word)
  if (hasEnding(written, forms.ownEndings)) return true
  if (isInside(word, reading.past)) return false
  // "Lo que sí le prometo es abrir una incidencia".
  const before = words[index - 1]?.word === "es" ? words[index - 2] : words[index - 1]
  if (before === undefined || !reading.isOneClause(before.end, word.start)) return false
  return forms.beforeOwn.has(reading.written(before))
    ? hasEnding(written, forms.presentEndings) && !forms.notOwn.has(written)
    : INFINITIVE.test(written) &&
        BEFORE_INFINITIVE.test(reading.written(before)) &&
        cues.some((cue) => cue.role.role === "vow" && cue.end === before.end)
}
