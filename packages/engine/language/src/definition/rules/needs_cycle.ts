/** PL2005: stages wait for each other. */
import { needsGraph } from "../scope/StageTree.ts"
import type { Rule } from "./Rule.ts"

export const needsCycle: Rule = {
  code: "PL2005",
  slug: "needs_cycle",
  severity: "error",
  title: "Stages wait for each other",
  why: "None of them could ever start.",
  fix: "Remove one `needs` of the cycle.",
  wrong: "- { id: a, uses: x, needs: [b] }\n- { id: b, uses: x, needs: [a] }",
  right: "- { id: a, uses: x }\n- { id: b, uses: x, needs: [a] }",
  check: ({ analysis }) =>
    [
      analysis.tree.main,
      analysis.tree.finally,
      ...analysis.tree.all.flatMap(({ inner }) => inner ?? []),
    ]
      .flatMap((block) =>
        needsGraph(block).cycles.map((cycle) => cycle.map((index) => block.stages[index]!)),
      )
      .map(([first, ...rest]) => {
        const ids = [first!, ...rest, first!].map(({ stage }) => stage.id)
        return {
          code: "PL2005",
          message:
            rest.length === 0
              ? `"${ids[0]}" waits for itself`
              : `these stages wait for each other: ${ids.join(" → ")}`,
          path: [...first!.path, "needs"],
          spot: "key" as const,
          help: "remove one of these needs",
        }
      }),
}
