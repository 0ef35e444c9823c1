/** PL4010: unknown model. */
import { hint, onlyNear } from "@planloom/expression/suggestion"
import { listsModels, modelUses } from "../scope/uses/modelUses.ts"
import { idFix, unknownId } from "../scope/unknownId.ts"
import type { Facts } from "@planloom/plugin/facts"
import { nearValue, type Fix } from "../Fix.ts"
import type { Resources } from "../Resources.ts"
import type { Rule } from "./Rule.ts"

/** Services whose models begin with a name of their own. */
const vendors = [
  ["claude-", "anthropic"],
  ["gpt-", "openai"],
  ["gemini-", "google"],
] as const

/** The one listed model that a name without its provider means, also as `provider:model`. */
const listedName = (
  name: string,
  { components, facts = new Map() as Facts, manifests }: Resources,
): Fix | undefined => {
  const listed = [...facts.keys()].filter(
    (one) => one === name.replace(":", "/") || one.slice(one.indexOf("/") + 1) === name,
  )
  if (listed.length === 1) return { value: listed[0]! }
  const vendor = vendors.find(([start]) => name.startsWith(start))?.[1]
  if (vendor !== undefined) return { value: `${vendor}/${name}` }
  const [, provider, model] = /^(\w+):(\S+)$/.exec(name) ?? []
  const isProvider =
    provider !== undefined &&
    (components.providers.has(provider) ||
      idFix("providers", provider, [], manifests) !== undefined)
  return isProvider ? { value: `${provider}/${model}` } : undefined
}

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
        const fix = idFix("providers", provider, [], resources.manifests)
        const near = onlyNear(provider, providers)
        const nearby = near === undefined ? undefined : { value: `${near}${name.slice(slash)}` }
        return [{ code: "PL4010", message, path, help, fix: fix ?? nearby }]
      }
      if (listed && aliases.includes(name)) {
        const message = `the alias "${name}" names aliases itself`
        return [{ code: "PL4010", message, path, help: "name an alias that lists provider/model" }]
      }
      const help = hint(name, known, "there are") ?? declareIt
      const fix = listedName(name, resources) ?? nearValue(name, known)
      return [{ code: "PL4010", message: `there is no model "${name}"`, path, help, fix }]
    })
  },
}

const declareIt =
  "declare it under models:, or write provider/model, such as anthropic/claude-sonnet-5-5"
