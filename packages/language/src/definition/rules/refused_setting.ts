/** PL4023: a model is to be asked with a setting it refuses. */
import { factsOf, omittedSettings } from "@planloom/plugin/facts"
import type { Facts } from "@planloom/plugin/facts"
import type { Problem } from "../Problem.ts"
import type { Rule } from "./Rule.ts"

export const refusedSetting: Rule = {
  code: "PL4023",
  slug: "refused_setting",
  severity: "warning",
  title: "The model refuses a setting",
  why: "Its service answers a request that holds the setting with an error, so the setting is left out, and the model does as it likes.",
  mend: "Take the setting away, or take a model that knows it.",
  wrong: "models: { writer: { try: [anthropic/claude-sonnet-5-5], temperature: 0.2 } }",
  right: "models: { writer: { try: [anthropic/claude-sonnet-5-5] } }",
  check: ({ definition, resources }) => {
    const { facts = new Map() as Facts } = resources
    return Object.entries(definition.models).flatMap(([alias, model]) =>
      model.try.flatMap((name) =>
        omittedSettings(model, factsOf(name, facts)?.refuses ?? []).map((setting): Problem => ({
          code: "PL4023",
          severity: "warning",
          message: `"${name}" takes no ${setting}: it is left out`,
          path: ["models", alias, setting],
          help:
            model.try.length === 1
              ? `take ${setting} away`
              : "give the models that know it a name of their own",
        })),
      ),
    )
  },
}
