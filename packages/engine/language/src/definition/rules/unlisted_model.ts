/** PL4021: the model is not listed. */
import { suggest } from "@planloom/expression/suggestion"
import { factsOf, providerOf } from "@planloom/plugin/facts"
import type { Facts } from "@planloom/plugin/facts"
import { modelUses } from "../scope/uses/modelUses.ts"
import type { Rule } from "./Rule.ts"

export const unlistedModel: Rule = {
  code: "PL4021",
  slug: "unlisted_model",
  severity: "warning",
  title: "The model is not listed",
  why: "Its name may be misspelled, and its price and token limits are unknown. An error where a budget counts money: each call of the model would be rejected.",
  fix: "Use the name that the message suggests, or describe the model in a file of kind Models and name the file under `model_facts` in planloom.yaml.",
  wrong: "models: { planner: { try: [anthropic/claude-sonet-5-5] } }",
  right: "models: { planner: { try: [anthropic/claude-sonnet-5-5] } }",
  check: ({ analysis, definition, resources }) => {
    const { facts = new Map() as Facts } = resources
    const names = [...facts.keys()]
    const vendors = new Set(names.map(providerOf))
    const limited =
      definition.policies.budget?.cost_usd !== undefined ||
      analysis.tree.all.some(({ stage }) => stage.budget?.cost_usd !== undefined)
    return modelUses(definition, analysis.tree).flatMap(({ name, path }) => {
      const provider = providerOf(name)
      // An unknown provider is PL4010.
      if (provider === "" || !resources.components.providers.has(provider)) return []
      const known = factsOf(name, facts)
      if (known?.price !== undefined || (known !== undefined && !limited)) return []
      // A host's own provider needs no facts, unless a budget counts money.
      if (!vendors.has(provider) && !limited) return []
      const near = suggest(
        name,
        names.filter((one) => providerOf(one) === provider && !one.endsWith("/*")),
      )
      const counted = limited ? "; its calls are rejected, because the budget counts money" : ""
      return [
        {
          code: "PL4021",
          severity: limited ? ("error" as const) : ("warning" as const),
          message:
            known === undefined
              ? `nothing is known of the model "${name}"${counted}`
              : `the price of the model "${name}" is not known${counted}`,
          path,
          help:
            near === undefined
              ? "give its context and price in a file of kind Models, named under model_facts in planloom.yaml"
              : `did you mean "${near}"? Otherwise give its context and price in a file of kind Models, named under model_facts`,
        },
      ]
    })
  },
}
