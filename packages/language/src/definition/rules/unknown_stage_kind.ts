/** PL4003: unknown stage kind. */
import { hint } from "@planloom/expression/suggestion"
import { SWITCH } from "../shape/switch.ts"
import { unknownId } from "../scope/unknownId.ts"
import type { Rule } from "./Rule.ts"

export const unknownStageKind: Rule = {
  code: "PL4003",
  slug: "unknown_stage_kind",
  severity: "error",
  title: "Unknown stage kind",
  why: "No component would run the stage.",
  fix: "Use the kind that the message suggests, or declare the plugin that provides it under `use: { plugins: [...] }`.",
  wrong: "uses: extrct",
  right: "uses: extract",
  check: ({ analysis, resources }) => {
    const known = [...resources.components.stages.keys(), SWITCH]
    return analysis.tree.all.flatMap(({ path, stage }) =>
      [
        { uses: stage.uses, at: [...path, "uses"] },
        { uses: stage.fallback?.uses, at: [...path, "fallback", "uses"] },
      ].flatMap(({ at, uses }) =>
        uses === undefined || uses === "" || resources.components.stages.has(uses)
          ? []
          : [
              {
                code: "PL4003",
                message: `there is no stage kind "${uses}"`,
                path: at,
                help: unknownId(
                  "stages",
                  uses,
                  known,
                  hint(uses, known, "there are"),
                  resources.manifests,
                ),
              },
            ],
      ),
    )
  },
}
