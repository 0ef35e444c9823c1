/** PL4023: the model does not support a setting. */
import { factsOf, omittedSettings } from "@planloom/plugin/facts"
import type { Facts } from "@planloom/plugin/facts"
import type { Problem } from "../Problem.ts"
import type { Rule } from "./Rule.ts"

export const refusedSetting: Rule = {
  code: "PL4023",
  slug: "refused_setting",
  severity: "warning",
  title: "The model does not support a setting",
  why: "Its service rejects a request with this setting, so the setting is omitted, and the model uses its own default.",
  fix: "Remove the setting, or use a model that supports it.",
  wrong: "models: { writer: { try: [anthropic/claude-sonnet-5-5], temperature: 0.2 } }",
  right: "models: { writer: { try: [anthropic/claude-sonnet-5-5] } }",
  check: ({ definition, resources }) => {
    const { facts = new Map() as Facts } = resources
    return Object.entries(definition.models).flatMap(([alias, model]) =>
      model.try.flatMap((name) =>
        omittedSettings(model, factsOf(name, facts)?.refuses ?? []).map((setting): Problem => ({
          code: "PL4023",
          severity: "warning",
          message: `"${name}" does not support ${setting}: it is omitted`,
          path: ["models", alias, setting],
          help:
            model.try.length === 1
              ? `remove ${setting}`
              : "give the models that support it an alias of their own",
        })),
      ),
    )
  },
}
