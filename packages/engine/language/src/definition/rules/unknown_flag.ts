/** PL4015: unknown flag, or a value that it cannot have. */
import type { Rule } from "./Rule.ts"

export const unknownFlag: Rule = {
  code: "PL4015",
  slug: "unknown_flag",
  severity: "error",
  title: "Unknown flag, or a value that it cannot have",
  why: "The intended change would silently have no effect.",
  fix: "Name a flag that the workflow declares under `flags:`, with a value of the same type, within its bounds.",
  wrong: "# planloom run flow.yaml --flag carefull=true\nflags: { careful: false }",
  right: "# planloom run flow.yaml --flag careful=true\nflags: { careful: false }",
}
