/** PL4022: the model's token limit is exceeded. */
import { factsOf } from "@planloom/plugin/facts"
import type { Facts } from "@planloom/plugin/facts"
import type { ModelAlias } from "../Definition.ts"
import type { Problem } from "../Problem.ts"
import type { Rule } from "./Rule.ts"
import { ownMember } from "../ownMember.ts"

export const beyondModel: Rule = {
  code: "PL4022",
  slug: "beyond_model",
  severity: "warning",
  title: "The model's token limit is exceeded",
  why: "The provider rejects a prompt that is too long, and a reply is cut off at the model's limit.",
  fix: "Lower `max_tokens`, or use a model with a higher limit.",
  wrong: "models: { writer: { try: [openai/gpt-4o], max_tokens: 50000 } }",
  right: "models: { writer: { try: [openai/gpt-4o], max_tokens: 16000 } }",
  check: ({ analysis, definition, resources }) => {
    const { facts = new Map() as Facts } = resources
    const replies = Object.entries(definition.models).flatMap(
      ([alias, { max_tokens, try: names }]) =>
        names.flatMap((name): ReadonlyArray<Problem> => {
          const known = factsOf(name, facts)
          const most = known?.max_output ?? known?.context
          return max_tokens === undefined || most === undefined || max_tokens <= most
            ? []
            : [
                warning(
                  `"${name}" writes at most ${most} tokens, not ${max_tokens}`,
                  ["models", alias, "max_tokens"],
                  `write max_tokens: ${most}, or less`,
                ),
              ]
        }),
    )
    const prompts = analysis.tree.all.flatMap(({ path, stage }) => {
      const mode = stage.prompt?.mode
      const limit = mode === undefined ? undefined : ownMember(definition.modes, mode)?.max_tokens
      const used = stage.model ?? definition.defaults.model
      if (limit === undefined || used === undefined) return []
      const alias: Pick<ModelAlias, "try"> & Partial<ModelAlias> = ownMember(
        definition.models,
        used,
      ) ?? {
        try: [used],
      }
      const reply = alias.max_tokens ?? 0
      return alias.try.flatMap((name): ReadonlyArray<Problem> => {
        const context = factsOf(name, facts)?.context
        return context === undefined || limit + reply <= context
          ? []
          : [
              warning(
                `mode "${mode}" allows a prompt of ${limit} tokens${reply === 0 ? "" : ` and the reply has up to ${reply}`}, but "${name}" reads ${context}`,
                [...path, "prompt"],
                "lower the mode's max_tokens, or use a model that reads more",
              ),
            ]
      })
    })
    return [...replies, ...prompts]
  },
}

const warning = (message: string, path: Problem["path"], help: string): Problem => ({
  code: "PL4022",
  severity: "warning",
  message,
  path,
  help,
})
