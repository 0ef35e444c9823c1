/** PL4004: the engine does not run this yet. */
import type { Rule } from "./Rule.ts"

export const notSupported: Rule = {
  code: "PL4004",
  slug: "not_supported",
  severity: "error",
  title: "The engine does not run this yet",
  why: "The engine could only ignore it, and a review that does not happen is worse than none.",
  fix: "Remove it until a version of the engine runs it.",
  wrong: "shadow: { subagents: [quality_gate] }",
  right: "# no shadow",
  check: ({ analysis }) =>
    analysis.tree.all.flatMap(({ path, stage }) =>
      stage.shadow === undefined
        ? []
        : [
            {
              code: "PL4004",
              message: "this version does not run shadow reviews",
              path: [...path, "shadow"],
              spot: "key" as const,
              help: "remove it: a review that does not happen must not look as if it did",
            },
          ],
    ),
}
