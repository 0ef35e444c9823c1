/** PL0104: the word is none of those allowed here. */
import type { Rule } from "./Rule.ts"

export const unknownValue: Rule = {
  code: "PL0104",
  slug: "unknown_value",
  severity: "error",
  title: "The word is none of those allowed here",
  why: "The key takes one word of a closed set.",
  mend: "Take one of the words the message lists.",
  wrong: "on_error: ignore",
  right: "on_error: continue",
}
