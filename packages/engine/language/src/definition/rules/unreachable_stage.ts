/** PL2007: the stage never runs. */
import type { Rule } from "./Rule.ts"

export const unreachableStage: Rule = {
  code: "PL2007",
  slug: "unreachable_stage",
  severity: "warning",
  title: "The stage never runs",
  why: "Its condition is always false.",
  fix: "Remove the stage, or its condition.",
  wrong: "- { id: review, uses: review, if: false }",
  right: "- { id: review, uses: review }",
  check: ({ analysis }) =>
    analysis.tree.all.flatMap((node) => {
      const { if: condition } = node.stage
      if (condition === undefined || condition.trim() !== "false") return []
      return [
        {
          code: "PL2007",
          severity: "warning" as const,
          message: `"${node.stage.id}" never runs`,
          path: [...node.path, "if"],
          help: "remove the stage, or its if",
        },
      ]
    }),
}
