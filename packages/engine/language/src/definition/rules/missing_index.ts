/** PL4046: a stage searches, and no plugin has an index. */
import type { Definition } from "../Definition.ts"
import { ownMember } from "../ownMember.ts"
import { declareIndex } from "../scope/unknownId.ts"
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
          const isMechanical = kind?.searches === "mechanical"
          const searches =
            kind?.searches === "always" || (isMechanical && mayBeMechanical(model, definition))
          if (!searches) return []
          const when = isMechanical && model === undefined ? " without a model" : ""
          return [
            {
              code: "PL4046",
              message: `the stage kind "${stage.uses}" searches${when}, and no plugin has an index`,
              path: [...path, "uses"],
              help: declareIndex(manifests),
            },
          ]
        }),
}

const mayBeMechanical = (model: string | undefined, { models }: Definition): boolean =>
  model === undefined || ownMember(models, model)?.otherwise === "mechanical"
