/** PL4010: unknown model. */
import { hint } from "@planloom/expression/suggestion"
import { listsModels, modelUses } from "../scope/modelUses.ts"
import { unknownId } from "../scope/unknownId.ts"
import type { Rule } from "./Rule.ts"

export const unknownModel: Rule = {
  code: "PL4010",
  slug: "unknown_model",
  severity: "error",
  title: "Unknown model",
  why: "No model would answer the stage's requests.",
  fix: "Use the name that the message suggests: an alias under `models:`, or `provider/model` with a provider from a declared plugin.",
  wrong: "model: planer",
  right: "model: planner",
  check: ({ analysis, definition, resources }) => {
    const providers = [...resources.components.providers.keys()]
    const aliases = Object.keys(definition.models)
    const named = aliases.filter((alias) => listsModels(definition.models[alias]!))
    return modelUses(definition, analysis.tree).flatMap(({ listed, name, path }) => {
      const known = listed ? named : aliases
      if (name === "" || known.includes(name)) return []
      const slash = name.indexOf("/")
      if (slash > 0) {
        const provider = name.slice(0, slash)
        if (providers.includes(provider)) return []
        const message = `there is no provider "${provider}"`
        const help = unknownId(
          "providers",
          provider,
          providers,
          hint(provider, providers, "there are"),
          resources.manifests,
        )
        return [{ code: "PL4010", message, path, help }]
      }
      if (listed && aliases.includes(name)) {
        const message = `the alias "${name}" names aliases itself`
        return [{ code: "PL4010", message, path, help: "name an alias that lists provider/model" }]
      }
      const help = hint(name, known, "there are") ?? declareIt
      return [{ code: "PL4010", message: `there is no model "${name}"`, path, help }]
    })
  },
}

const declareIt =
  "declare it under models:, or write provider/model, such as anthropic/claude-sonnet-5-5"
