/** What kind of utterance a text is before anything is known of tools: a greeting, a question about the world, noise. */
import { folded, plainly, wordsOf } from "../language/words.ts"

export type Manner = "greeting" | "question" | "noise" | "refusal" | "request"

const greeting =
  /^(?:hi|hello|hey|good (?:morning|evening|afternoon|day|night)|thanks?|thank you|thx|cheers|bye|goodbye|see you|how are you|nice|great|ok(?:ay)?|cool|sorry)\b[\s\w!,.']{0,24}$/

/** Asks for something not to be done. */
const refusal =
  /^(?:(?:no|oh|please|wait|stop),? )*(?:do not|don't|dont|never|no need|forget it|never mind|nevermind|cancel)\b|^(?:no|nope|nah|stop|no thanks?|no thank you)[\s.!]*$/

/** Asks for knowledge or talk, not for something that is on the device. */
const knowledge =
  /^(?:why\b|how (?:does|do|did|is|are|old|far|tall|big|come)\b(?!.*\b(?:i|my|me)\b)|who (?:was|invented|painted|wrote|discovered|won|built|made|founded)\b|what(?:'s| is| are| was| were) (?:an?|the (?:capital|meaning|difference|largest|biggest|highest|population|speed|weather|time|square|sum))\b|when (?:was|did)\b(?!.*\b(?:i|my|me|we)\b)|explain\b|define\b|translate\b|calculate\b|tell me (?:a|about|something)\b|sing\b|what can you\b|who are you\b|what are you\b|can you help|help\b)/

const arithmetic =
  /^(?:what(?:'s| is)|how much is|calculate|compute)?\s*[\d.]+\s*(?:[-+*/x×÷^%]|times|plus|minus|divided by|percent of)\s*(?:of\s*)?[\d.]+\s*\??$/

/** Statements about the calendar as such, not about one's own: "is 2028 a leap year". */
const ofTheWorld =
  /^(?:is|are|was|were|does|do|did|can|could|will|would)\b(?!.*\b(?:i|my|me|mine|we|our|you|phone|device|here|there)\b)(?=.*\b(?:an?|the)\b)/

const vowels = /[aeiouy]/

/** Words nobody could speak: long without a vowel, or keys in a row. */
const isMash = (word: string): boolean =>
  /^(?:asdf|qwer|zxcv|hjkl|wasd|jkl|sdf|fgh)/.test(word) ||
  (word.length > 4 && /^[a-z]+$/.test(word) && !vowels.test(word)) ||
  /[bcdfghjklmnpqrstvwxz]{5,}/.test(word) ||
  /(.)\1{3,}/.test(word)

export const mannerOf = (text: string): Manner => {
  const said = folded(text).trim()
  const words = wordsOf(text)
  if (words.length === 0 || words.filter(isMash).length * 2 >= words.length) return "noise"
  if (refusal.test(said)) return "refusal"
  if (greeting.test(said)) return "greeting"
  if (
    knowledge.test(said) ||
    knowledge.test(plainly(said)) ||
    arithmetic.test(said) ||
    ofTheWorld.test(said)
  )
    return "question"
  return "request"
}

/** Whether a text that fits no tool is at least a question. */
export const asks = (text: string): boolean =>
  /\?\s*$/.test(text) ||
  /^(?:what|who|whom|whose|when|where|why|how|which|is|are|do|does|did|can|could|will|would|should|tell me|explain)\b/.test(
    folded(text).trim(),
  )
