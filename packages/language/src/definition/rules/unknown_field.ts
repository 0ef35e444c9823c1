/** PL1201: the value has no such field. */
import type { Rule } from "./Rule.ts"

export const unknownField: Rule = {
  code: "PL1201",
  slug: "unknown_field",
  severity: "error",
  title: "The value has no such field",
  why: "The schema of the input or output says which fields there are, and this is none of them.",
  mend: "Take the field the message suggests, or add it to the schema.",
  wrong: "if: stages.requirements.output.confidense >= 0.6",
  right: "if: stages.requirements.output.confidence >= 0.6",
}
