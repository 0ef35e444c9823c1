/** PL0104: unknown value. */
import type { Rule } from "./Rule.ts"

export const unknownValue: Rule = {
  code: "PL0104",
  slug: "unknown_value",
  severity: "error",
  title: "Unknown value",
  why: "The key accepts one word of a fixed set.",
  fix: "Use one of the words that the message lists.",
  wrong: "on_error: ignore",
  right: "on_error: continue",
}
