/** PL3011: the rate has no effect. */
import { hint } from "@planloom/expression/suggestion"
import { providerOf } from "@planloom/plugin/facts"
import type { Problem } from "../Problem.ts"
import type { Rule } from "./Rule.ts"

export const unknownRate: Rule = {
  code: "PL3011",
  slug: "unknown_rate",
  severity: "error",
  title: "The rate has no effect",
  why: "Calls that you meant to limit would not be limited.",
  fix: "Name a provider, a model (`provider/model`) or an alias under `for:`, or use its name as the rate's name; and set at least one of `requests_per_minute`, `tokens_per_minute` and `concurrency`.",
  wrong: "policies: { rate: { claude: { requests_per_minute: 50 } } }",
  right: "policies: { rate: { claude: { requests_per_minute: 50, for: [anthropic] } } }",
  check: ({ definition, resources }) => {
    const providers = [...resources.components.providers.keys()]
    const aliases = Object.keys(definition.models)
    const known = [...providers, ...aliases]
    return Object.entries(definition.policies.rate).flatMap(([name, rate]) => {
      const at = ["policies", "rate", name] as const
      const targets = (rate.for ?? [name]).flatMap((target, index): ReadonlyArray<Problem> => {
        if (known.includes(target) || providers.includes(providerOf(target))) return []
        return [
          {
            code: "PL3011",
            message: `there is no provider, model or alias "${target}"`,
            path: rate.for === undefined ? at : [...at, "for", index],
            ...(rate.for === undefined ? { spot: "key" as const } : {}),
            help: `${hint(target, known, "there are") ?? "declare one"}${rate.for === undefined ? "; or name the rate's targets: for: [ … ]" : ""}`,
          },
        ]
      })
      const { concurrency, requests_per_minute, tokens_per_minute } = rate
      const empty =
        (concurrency ?? requests_per_minute ?? tokens_per_minute) === undefined
          ? [
              {
                code: "PL3011",
                message: `the rate "${name}" sets no limit`,
                path: at,
                spot: "key" as const,
                help: "set requests_per_minute, tokens_per_minute or concurrency",
              },
            ]
          : []
      return [...targets, ...empty]
    })
  },
}
