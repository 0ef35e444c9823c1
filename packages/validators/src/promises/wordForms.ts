/** Words and endings of `words.json` that say when something happens, and who does it. */
import words from "./words.json" with { type: "json" }

export const accented = new Set(words.accented)
export const pastEndings = Object.values(words.pastEndings).flat()
export const ownEndings = Object.values(words.ownEndings).flat()
export const conditionEndings = Object.values(words.conditionEndings).flat()
export const notConditions = new Set(words.notConditions)
export const presentEndings = Object.values(words.ownVerbEndings).flat()
export const beforeOwn = new Set(Object.values(words.ownBefore).flat())
export const notOwn = new Set(Object.values(words.notOwn).flat())
export const future = new Set(Object.values(words.future).flat())
export const futureEndings = Object.values(words.futureEndings).flat()
export const concord = new Set(Object.values(words.concord).flat())
export const passives = new Set(Object.values(words.bePassive).flat())
export const objects = new Set(Object.values(words.objects).flat())
export const causatives = new Set(words.causatives)
export const thirds = new Set(Object.values(words.thirds).flat())
export const ours = new Set(Object.values(words.ours).flat())
