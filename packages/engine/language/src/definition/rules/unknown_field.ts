/** PL1201: unknown field. */
import type { Rule } from "./Rule.ts"

export const unknownField: Rule = {
  code: "PL1201",
  slug: "unknown_field",
  severity: "error",
  title: "Unknown field",
  why: "The schema of the input or output does not declare it.",
  fix: "Use the field that the message suggests, or add it to the schema.",
  wrong: "if: stages.requirements.output.confidense >= 0.6",
  right: "if: stages.requirements.output.confidence >= 0.6",
}
