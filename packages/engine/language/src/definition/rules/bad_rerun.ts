/** PL2008: the stage to rerun is not an earlier stage of the same block. */
import { hint } from "@planloom/expression/suggestion"
import { endedBefore } from "../scope/StageTree.ts"
import { nearValue } from "../Fix.ts"
import type { Rule } from "./Rule.ts"

export const badRerun: Rule = {
  code: "PL2008",
  slug: "bad_rerun",
  severity: "error",
  title: "The stage to rerun is not an earlier stage of the same block",
  why: "A rerun repeats every stage from its target to the assertion, so its target has to come before the assertion.",
  fix: "Name an earlier stage of the same block.",
  wrong:
    "- id: coverage\n  assert: { that: …, on_fail: { rerun: answer, max_reruns: 2 } }\n- id: answer",
  right:
    "- id: plan\n- id: coverage\n  assert: { that: …, on_fail: { rerun: plan, max_reruns: 2 } }",
  check: ({ analysis }) =>
    analysis.tree.all.flatMap((node) =>
      node.stage.assert.flatMap(({ on_fail: onFail }, index) => {
        if (onFail === "fail" || onFail.rerun === "" || onFail.rerun === node.stage.id) return []
        const earlier = endedBefore(node).map(({ stage }) => stage.id)
        if (earlier.includes(onFail.rerun)) return []
        const known = analysis.tree.byId.has(onFail.rerun)
        return [
          {
            code: known ? "PL2008" : "PL2002",
            message: known
              ? `"${onFail.rerun}" is not an earlier stage of this block`
              : `there is no stage "${onFail.rerun}"`,
            path: [...node.path, "assert", index, "on_fail", "rerun"],
            help: hint(onFail.rerun, [...earlier, node.stage.id], "it can go back to"),
            fix: nearValue(onFail.rerun, [...earlier, node.stage.id]),
          },
        ]
      }),
    ),
}
