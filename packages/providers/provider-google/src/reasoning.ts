/** Converts a level of reasoning to the thinking config of each generation of Gemini. */
import type { ThinkingConfig, ThinkingLevel } from "@google/genai"
import type { ModelRequest, ReasoningLevel } from "@planloom/plugin/effect"

/** Models before 3 think within a budget; later ones take a level. Source: Google, "Thinking", levels and budgets. */
const budgetModel = /^gemini-[12]\b/

/** Within the budgets of every 2.5 model; 0 turns thinking off where that is possible. */
const budgetTokens = {
  none: 0,
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: 16_384,
  max: 24_576,
} as const satisfies { readonly [level in ReasoningLevel]: number }

export const toThinkingConfig = ({
  model,
  reasoning,
}: Pick<ModelRequest, "model" | "reasoning">): ThinkingConfig | undefined => {
  if (reasoning === undefined) return undefined
  const includeThoughts = reasoning !== "none"
  return budgetModel.test(model)
    ? { thinkingBudget: budgetTokens[reasoning], includeThoughts }
    : // The service names its levels when it rejects one.
      { thinkingLevel: reasoning.toUpperCase() as ThinkingLevel, includeThoughts }
}
