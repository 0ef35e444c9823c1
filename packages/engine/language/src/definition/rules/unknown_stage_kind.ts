/** PL4003: unknown stage kind. */
import { hint } from "@planloom/expression/suggestion"
import { SWITCH } from "../shape/switch.ts"
import type { JsonObject } from "@planloom/plugin/effect"
import { askedFor } from "../scope/askedFor.ts"
import { foreignKind, sameKind } from "../scope/foreignKinds.ts"
import { idFix, unknownId, type Manifests } from "../scope/unknownId.ts"
import type { Rule } from "./Rule.ts"

/** A kind of a plugin that is not declared comes before words of other tools. */
const helpFor = (uses: string, known: ReadonlyArray<string>, manifests?: Manifests): string => {
  const isOfPlugin = Object.values(manifests ?? {}).some(({ contributes }) =>
    Object.hasOwn(contributes.components?.stages ?? {}, uses),
  )
  const foreign = isOfPlugin ? undefined : foreignKind(uses)
  return foreign ?? unknownId("stages", uses, known, hint(uses, known, "there are"), manifests)
}

const fixFor = (
  uses: string,
  given: JsonObject,
  known: ReadonlyArray<string>,
  manifests?: Manifests,
) => {
  const asked = askedFor(uses, given)
  if (asked !== undefined) return asked
  const exact = sameKind(uses)
  return exact === undefined ? idFix("stages", uses, known, manifests) : { value: exact }
}

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
        { uses: stage.uses, given: stage.with, at: [...path, "uses"] },
        {
          uses: stage.fallback?.uses,
          given: stage.fallback?.with ?? {},
          at: [...path, "fallback", "uses"],
        },
      ].flatMap(({ at, given, uses }) =>
        uses === undefined || uses === "" || resources.components.stages.has(uses)
          ? []
          : [
              {
                code: "PL4003",
                message: `there is no stage kind "${uses}"`,
                path: at,
                help: helpFor(uses, known, resources.manifests),
                fix: fixFor(uses, given, known, resources.manifests),
              },
            ],
      ),
    )
  },
}
