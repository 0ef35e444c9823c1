/** PL4011: a file that the workflow names cannot be read. */
import type { Rule } from "./Rule.ts"

export const missingFile: Rule = {
  code: "PL4011",
  slug: "missing_file",
  severity: "error",
  title: "A file that the workflow names cannot be read",
  why: "The run would lack its content.",
  fix: "Fix the path; it is relative to the folder of the workflow file.",
  wrong: "prompts: { planner: ../prompt/planner.md }",
  right: "prompts: { planner: ../prompts/planner.md }",
}
