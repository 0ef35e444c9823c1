/** PL4040: an option of a model is a field that the provider sets itself. */
import { reservedOptions } from "@planloom/plugin/facts"
import type { Problem } from "../Problem.ts"
import type { Rule } from "./Rule.ts"

export const reservedOption: Rule = {
  code: "PL4040",
  slug: "reserved_option",
  severity: "error",
  title: "An option of a model is set elsewhere",
  why: "The provider sets this field of each request from the workflow. Two values for one field would leave one of them without effect.",
  fix: "Use the setting that sets the field, or remove the option.",
  wrong: "models: { writer: { try: [openai/gpt-5], options: { reasoning_effort: low } } }",
  right:
    "models: { writer: { try: [openai/gpt-5], reasoning: low, options: { service_tier: flex } } }",
  check: ({ definition }) =>
    Object.entries(definition.models).flatMap(([alias, { options }]) =>
      reservedOptions(options ?? {}).map(({ path, reason }): Problem => ({
        code: "PL4040",
        severity: "error",
        message: `"${path.join(".")}" cannot be an option: ${reason}`,
        path: ["models", alias, "options", ...path],
        help: "remove it",
      })),
    ),
}
