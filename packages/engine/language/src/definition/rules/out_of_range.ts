/** PL0106: the value is out of range. */
import type { Rule } from "./Rule.ts"

export const outOfRange: Rule = {
  code: "PL0106",
  slug: "out_of_range",
  severity: "error",
  title: "The value is out of range",
  why: "The key accepts only numbers, or lengths of lists, within a range.",
  fix: "Write a value within the range that the message names.",
  wrong: "max_iterations: 0",
  right: "max_iterations: 3",
}
