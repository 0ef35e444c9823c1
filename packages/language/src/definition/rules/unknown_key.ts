/** PL0101: the key does not exist here. */
import type { Rule } from "./Rule.ts"

export const unknownKey: Rule = {
  code: "PL0101",
  slug: "unknown_key",
  severity: "error",
  title: "The key does not exist here",
  why: "An unknown key would be ignored, and what you meant by it would not happen.",
  mend: "Take the key the message suggests. Keys of your own begin with `x-`.",
  wrong: "max_attempts: 3",
  right: "max_retries: 2",
}
