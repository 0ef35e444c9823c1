/** Whether a sentence promises nothing whatever it says: it sets a condition, reports what others say, or refuses to commit. */
import { isFirm } from "./Lexicon.ts"
import { isInside, type Place } from "./Place.ts"
import type { Reading } from "./Reading.ts"
import { hasEnding } from "./wordForms.ts"

export const isExcused = (reading: Reading): boolean => {
  const { cues, excuses, forms, moods, words } = reading
  return (
    excuses.has("conditions") ||
    (excuses.has("acts") && cues.length === 0) ||
    excuses.has("reports") ||
    excuses.has("others") ||
    (moods.length > 0 &&
      !cues.some((cue) => isFirm(cue) && moods.every((one) => isBefore(reading, one, cue)))) ||
    (forms.conditionEndings.size > 0 &&
      words.some(
        (word) =>
          hasEnding(reading.written(word), forms.conditionEndings) &&
          !forms.notConditions.has(reading.written(word)) &&
          !isInside(word, cues),
      )) ||
    refusesCommitment(reading) ||
    cues.some(
      (cue) =>
        (isFirm(cue) || cue.role.role === "named") &&
        (isOfOthers(reading, cue) ||
          (reading.isNegated(cue) && !reading.isConcord(cue)) ||
          hasEnding(reading.written(cue), forms.pastEndings)),
    )
  )
}

/** "I'm sorry for the wait, and I promise …", but not "I'm sure that you are upset". */
const isBefore = (reading: Reading, mood: Place, cue: Place): boolean =>
  mood.end <= cue.start && !reading.isOneClause(mood.end, cue.start)

/** "Past gains give no assurance", "sin garantía". */
const refusesCommitment = ({ forms, words }: Reading): boolean =>
  words.some(
    ({ word }, index) =>
      index > 0 && forms.commitmentNouns.has(word) && forms.determiners.has(words[index - 1]!.word),
  )

/** "The policy guarantees", "some lenders often promise", unless it is ours. */
const isOfOthers = (reading: Reading, cue: Place): boolean => {
  const { forms, words } = reading
  const before = words.filter(({ end }) => end <= cue.start)
  if (before.some(({ word }) => forms.ours.has(word))) return false
  const [first] = reading.written(cue).split(" ", 1)
  const subject = before.findLast(({ word }) => !forms.adverbs.has(word))
  return (
    forms.thirds.has(first!) ||
    (forms.verbs.has(first!) &&
      subject !== undefined &&
      (forms.others.has(subject.word) || subject.word.endsWith("s")))
  )
}
