/** PL4039: the model does not reason at the level that is set. */
import { factsOf, unsupportedReasoning } from "@planloom/plugin/facts"
import type { Facts } from "@planloom/plugin/facts"
import type { Problem } from "../Problem.ts"
import type { Rule } from "./Rule.ts"

export const unsupportedReasoningLevel: Rule = {
  code: "PL4039",
  slug: "unsupported_reasoning",
  severity: "error",
  title: "The model does not support the level of reasoning",
  why: "Its service rejects a request with this level. Another level would change the cost and the quality of replies, so none is chosen in its place.",
  fix: "Set a level that the model supports, or remove `reasoning` to use the model's default.",
  wrong: "models: { writer: { try: [openai/gpt-5], reasoning: none } }",
  right: "models: { writer: { try: [openai/gpt-5], reasoning: minimal } }",
  check: ({ definition, resources }) => {
    const { facts = new Map() as Facts } = resources
    return Object.entries(definition.models).flatMap(([alias, { reasoning, try: names }]) =>
      names.flatMap((name): ReadonlyArray<Problem> => {
        const levels = unsupportedReasoning(reasoning, factsOf(name, facts))
        return levels === undefined
          ? []
          : [
              {
                code: "PL4039",
                severity: "error",
                message: `"${name}" does not support reasoning: ${reasoning}`,
                path: ["models", alias, "reasoning"],
                help:
                  names.length === 1
                    ? `write one of: ${levels.join(", ")}`
                    : `it supports: ${levels.join(", ")}; give models with other levels an alias of their own`,
              },
            ]
      }),
    )
  },
}
