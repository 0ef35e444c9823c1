/** PL0106: the value is out of range. */
import type { Rule } from "./Rule.ts"

export const outOfRange: Rule = {
  code: "PL0106",
  slug: "out_of_range",
  severity: "error",
  title: "The value is out of range",
  why: "The key takes only numbers, or lists, of a certain size.",
  mend: "Write a value within the range the message names.",
  wrong: "max_iterations: 0",
  right: "max_iterations: 3",
}
