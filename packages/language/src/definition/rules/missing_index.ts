/** PL4046: a stage searches, and no plugin has an index. */
import type { Definition } from "../Definition.ts"
import { ownMember } from "../ownMember.ts"
import { unknownId } from "../scope/unknownId.ts"
import type { Rule } from "./Rule.ts"

export const missingIndex: Rule = {
  code: "PL4046",
  slug: "missing_index",
  severity: "error",
  title: "No plugin has an index",
  why: "The stage fails as soon as it searches.",
  fix: "Declare a plugin with an index, such as `@planloom/retrieval`; a stage that searches only without a model can be given one instead.",
  wrong: 'use: { plugins: ["@planloom/stages"] }\nstages: [{ id: talk, uses: route, with: {…} }]',
  right:
    'use: { plugins: ["@planloom/stages", "@planloom/retrieval"] }\nstages: [{ id: talk, uses: route, with: {…} }]',
  check: ({ analysis, definition, resources: { components, manifests } }) =>
    components.indexes.size > 0
      ? []
      : analysis.tree.all.flatMap(({ path, stage }) => {
          const kind = components.stages.get(stage.uses ?? "")
          const model = stage.model ?? definition.defaults.model
          const isUsed =
            kind?.searches === "always" ||
            (kind?.searches === "mechanical" && mayBeMechanical(model, definition))
          if (!isUsed) return []
          return [
            {
              code: "PL4046",
              message: `the stage kind "${stage.uses}" searches${model === undefined && kind.searches === "mechanical" ? " without a model" : ""}, and no plugin has an index`,
              path: [...path, "uses"],
              help: unknownId("indexes", "embedded", [], undefined, manifests),
            },
          ]
        }),
}

const mayBeMechanical = (model: string | undefined, { models }: Definition): boolean =>
  model === undefined || ownMember(models, model)?.otherwise === "mechanical"
