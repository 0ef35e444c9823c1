/** Whether the speaker commits to hand something on to others: "we pledge to hand your box over to the carrier". */
import { isFirm, type Cue, type Read, type Use } from "./Lexicon.ts"
import type { WordForms } from "./wordForms.ts"

/** "… over to the carrier". */
const TO_OTHERS = /\bto\s+(?:the|our|a|an|their|its)\b/iu

export const isHandedOn = (
  { text, words }: Read,
  cues: ReadonlyArray<Use<Cue>>,
  forms: WordForms,
): boolean =>
  words.some(
    ({ end, word }, index) =>
      forms.transfers.has(word) &&
      words[index - 1]?.word === "to" &&
      cues.some(
        (cue) =>
          isFirm(cue) &&
          cue.end <= end &&
          words.filter((one) => one.start >= cue.end && one.end <= end).length <= 2,
      ) &&
      TO_OTHERS.test(text.slice(end)) &&
      !words.slice(index).some((one) => one.word === "back"),
  )
