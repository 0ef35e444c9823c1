/** Whether a word of commitment only describes a noun: "guaranteed seats cost more", "el mínimo garantizado es". */
import type { Place } from "./Place.ts"
import type { Reading } from "./Reading.ts"

export const isAttribute = ({ forms, text, words }: Reading, cue: Place): boolean => {
  const at = words.findIndex(({ end, start }) => start === cue.start && end === cue.end)
  if (at === -1) return false
  const { word } = words[at]!
  const before = words[at - 1]
  const after = words[at + 1]
  return (
    (forms.attributes.has(word) &&
      after !== undefined &&
      isNext(text, words[at]!, after) &&
      !forms.afterResults.has(after.word) &&
      !(before !== undefined && forms.passives.has(before.word))) ||
    (forms.attributesAfter.has(word) &&
      before !== undefined &&
      isNext(text, before, words[at]!) &&
      !forms.beforeResults.has(before.word) &&
      !before.word.endsWith("mente"))
  )
}

const isNext = (text: string, one: Place, other: Place): boolean =>
  text.slice(one.end, other.start) === " "
