/** PL2002: unknown stage. */
import { hint } from "@planloom/expression/suggestion"
import { nearValue } from "../Fix.ts"
import type { Rule } from "./Rule.ts"

export const unknownStage: Rule = {
  code: "PL2002",
  slug: "unknown_stage",
  severity: "error",
  title: "Unknown stage",
  why: "The reference would never have a value.",
  fix: "Use the id that the message suggests.",
  wrong: "needs: [plna]",
  right: "needs: [plan]",
  check: ({ analysis }) =>
    analysis.tree.all.flatMap((node) =>
      (node.stage.needs ?? []).flatMap((id, index) => {
        if (id === "" || node.block.byId.has(id)) return []
        const siblings = node.block.stages
          .map(({ stage }) => stage.id)
          .filter((sibling) => sibling !== node.stage.id)
        const elsewhere = analysis.tree.byId.has(id)
        return [
          {
            code: "PL2002",
            message: elsewhere ? `"${id}" is in another block` : `there is no stage "${id}"`,
            path: [...node.path, "needs", index],
            help: elsewhere
              ? "a stage needs stages of its own block; the block as a whole waits at its own level"
              : hint(id, siblings, "there are"),
            fix: elsewhere ? undefined : nearValue(id, siblings),
          },
        ]
      }),
    ),
}
