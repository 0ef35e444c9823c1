/** PL4041: a stage attaches images for a model that reads none. */
import { factsOf } from "@planloom/plugin/facts"
import type { Facts, ModelFacts } from "@planloom/plugin/facts"
import type { Problem } from "../Problem.ts"
import type { Rule } from "./Rule.ts"
import { ownMember } from "../ownMember.ts"

export const unsupportedImages: Rule = {
  code: "PL4041",
  slug: "unsupported_images",
  severity: "error",
  title: "The model does not read images",
  why: "Its service rejects a request with an image.",
  fix: "Use a model that reads images, or remove `attach`.",
  wrong:
    "stages: [{ id: read, uses: generate, model: openai/gpt-3.5-turbo, with: { task: Describe it., attach: […] } }]",
  right:
    "stages: [{ id: read, uses: generate, model: openai/gpt-4.1, with: { task: Describe it., attach: […] } }]",
  check: ({ analysis, definition, resources }) => {
    const { facts = new Map() as Facts } = resources
    return analysis.tree.all.flatMap(({ path, stage }) => {
      const used = stage.model ?? definition.defaults.model
      const { with: given } = stage as { readonly with?: unknown }
      if (used === undefined || typeof given !== "object" || given === null) return []
      if (!Object.hasOwn(given, "attach")) return []
      const names = ownMember(definition.models, used)?.try ?? [used]
      return names
        .filter((name) => readsNoImages(factsOf(name, facts)))
        .map((name): Problem => ({
          code: "PL4041",
          severity: "error",
          message: `"${name}" does not read images`,
          path: [...path, "with", "attach"],
          help: "use a model whose `capabilities` contain images",
        }))
    })
  },
}

/** Without capabilities nothing is known of the model. */
const readsNoImages = (facts: ModelFacts | undefined): boolean =>
  facts !== undefined && facts.capabilities.length > 0 && !facts.capabilities.includes("images")
