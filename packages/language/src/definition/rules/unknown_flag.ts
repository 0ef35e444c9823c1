/** PL4015: the workflow has no such flag, or not of this type. */
import type { Rule } from "./Rule.ts"

export const unknownFlag: Rule = {
  code: "PL4015",
  slug: "unknown_flag",
  severity: "error",
  title: "The flag is none of the workflow's, or of another type",
  why: "What somebody meant to switch would stay as it is, and nobody would know.",
  mend: "Name a flag that the workflow declares under `flags:`, with a value of the same type.",
  wrong: "# planloom run flow.yaml --flag carefull=true\nflags: { careful: false }",
  right: "# planloom run flow.yaml --flag careful=true\nflags: { careful: false }",
}
