/** PL2017: `until` reads only values that `next` changes after it. */
import { unwrapExpression } from "@planloom/expression"
import { referencesOf, SyntaxProblem } from "@planloom/expression/check"
import type { Rule } from "./Rule.ts"

export const lateUntil: Rule = {
  code: "PL2017",
  slug: "late_until",
  severity: "warning",
  title: "`until` reads only carried values",
  why: "`until` is read before `next`: it sees the values with which the round began, so what the round found ends the loop one round later, or never.",
  fix: "Read the output of a stage of the block. To count rounds, read `iter.index` or use `max_iterations`.",
  wrong:
    'repeat: { carry: { missing: 1 }, until: iter.missing == 0, next: { missing: "${{ stages.search.output.missing }}" }, max_iterations: 3 }',
  right:
    'repeat: { carry: { missing: 1 }, until: stages.search.output.missing == 0, next: { missing: "${{ stages.search.output.missing }}" }, max_iterations: 3 }',
  check: ({ analysis }) =>
    analysis.tree.all.flatMap(({ path, stage: { repeat } }) => {
      if (repeat === undefined) return []
      const tree = analysis.parse(unwrapExpression(repeat.until))
      if (tree instanceof SyntaxProblem) return []
      const references = referencesOf(tree)
      const isLate =
        references.length > 0 &&
        references.every(
          ([root, name]) =>
            root === "iter" && (name === undefined || Object.hasOwn(repeat.carry, name)),
        )
      if (!isLate) return []
      return [
        {
          code: "PL2017",
          severity: "warning" as const,
          message: "this reads only values of `iter`, which `next` changes after it is read",
          path: [...path, "repeat", "until"],
          help: "read the output of a stage of the block; to count rounds, read iter.index",
        },
      ]
    }),
}
