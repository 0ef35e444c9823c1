/** PL0111: the file has another kind or version. */
import type { Rule } from "./Rule.ts"

export const wrongKind: Rule = {
  code: "PL0111",
  slug: "wrong_kind",
  severity: "error",
  title: "The file has another kind or version",
  why: "A missing version never means the latest, and one kind of file is never read as another.",
  fix: "Write `apiVersion: planloom/v1` and the kind of the file.",
  wrong: "kind: Workflows",
  right: "kind: Workflow",
}
