/** Converts a level of reasoning to the parameters of each generation of Claude. */
import type Anthropic from "@anthropic-ai/sdk"
import type { ModelRequest, ReasoningLevel } from "@planloom/plugin/effect"

type Params = Pick<Anthropic.MessageCreateParamsNonStreaming, "thinking" | "output_config">

/**
 * Models up to 4.5 think within a budget of tokens; later ones reject budgets and take an effort.
 * Source: Anthropic, "Thinking", support by model.
 */
const budgetModels = [
  "claude-3",
  "claude-opus-4-0",
  "claude-opus-4-1",
  "claude-opus-4-2",
  "claude-opus-4-5",
  "claude-sonnet-4-0",
  "claude-sonnet-4-2",
  "claude-sonnet-4-5",
  "claude-haiku-4-5",
]

/** Models that turn thinking before the reply off by `between_tools`: they reject `disabled`. */
const betweenToolsModels = ["claude-sonnet-5-5"]

const budgetTokens = {
  minimal: 1024,
  low: 4096,
  medium: 8192,
  high: 16_384,
  max: 32_000,
} as const satisfies { readonly [level in Exclude<ReasoningLevel, "none">]: number }

/** The service's minimum. */
const MIN_BUDGET_TOKENS = 1024

export const isReasoning = ({ reasoning }: Pick<ModelRequest, "reasoning">): boolean =>
  reasoning !== undefined && reasoning !== "none"

const isOneOf = (model: string, prefixes: ReadonlyArray<string>): boolean =>
  prefixes.some((prefix) => model.startsWith(prefix))

/** Thoughts are requested in summary: without a display, later models return them empty. */
export const toThinking = (
  { model, reasoning }: Pick<ModelRequest, "model" | "reasoning">,
  maxTokens: number,
): Params => {
  if (reasoning === undefined) return {}
  if (reasoning === "none") {
    return {
      thinking: { type: isOneOf(model, betweenToolsModels) ? "between_tools" : "disabled" },
    }
  }
  if (isOneOf(model, budgetModels)) {
    // The budget is part of `max_tokens`: at least half of them remain for the reply.
    const budget = Math.min(budgetTokens[reasoning], Math.floor(maxTokens / 2))
    return {
      thinking: {
        type: "enabled",
        budget_tokens: Math.max(budget, MIN_BUDGET_TOKENS),
        display: "summarized",
      },
    }
  }
  return {
    thinking: { type: "adaptive", display: "summarized" },
    // The service names its levels when it rejects `minimal`.
    output_config: { effort: reasoning as "low" },
  }
}

/** Whether the model rejects sampling settings while it reasons. */
export const rejectsSampling = (model: string, reasoning: ReasoningLevel | undefined): boolean =>
  isReasoning(reasoning === undefined ? {} : { reasoning }) && isOneOf(model, budgetModels)
