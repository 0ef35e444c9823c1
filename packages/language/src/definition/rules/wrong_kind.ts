/** PL0111: the file is of another kind or version. */
import type { Rule } from "./Rule.ts"

export const wrongKind: Rule = {
  code: "PL0111",
  slug: "wrong_kind",
  severity: "error",
  title: "The file is of another kind or version",
  why: "A missing version never means the latest, and one kind of file is never read as another.",
  mend: "Write `apiVersion: planloom/v1` and the kind that the file is.",
  wrong: "kind: Workflows",
  right: "kind: Workflow",
}
