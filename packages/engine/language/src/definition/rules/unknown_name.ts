/** PL1101: unknown name. */
import type { Rule } from "./Rule.ts"

export const unknownName: Rule = {
  code: "PL1101",
  slug: "unknown_name",
  severity: "error",
  title: "Unknown name",
  why: "An expression starts with a name in scope: inputs, stages, run, or a name that an enclosing block adds.",
  fix: "Use the name that the message suggests; text is quoted.",
  wrong: 'if: question != ""',
  right: 'if: inputs.question != ""',
}
