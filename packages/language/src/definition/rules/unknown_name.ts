/** PL1101: nothing is called that here. */
import type { Rule } from "./Rule.ts"

export const unknownName: Rule = {
  code: "PL1101",
  slug: "unknown_name",
  severity: "error",
  title: "Nothing is called that here",
  why: "An expression begins with one of the names that exist where it stands: inputs, stages, run, and what the blocks around it add.",
  mend: "Take the name the message suggests; text stands in quotes.",
  wrong: 'if: question != ""',
  right: 'if: inputs.question != ""',
}
