/** Converts a level of reasoning to the fields that each server reads it from. */
import type { JsonObject, ReasoningLevel } from "@planloom/plugin/effect"

/**
 * - `reasoning_effort`: OpenAI and LM Studio
 * - `reasoning`: OpenRouter
 * - `chat_template_kwargs`: llama.cpp and vLLM, for the chat template of the model
 * - `thinking`: DeepSeek
 */
export const reasoningFields = [
  "reasoning_effort",
  "reasoning",
  "chat_template_kwargs",
  "thinking",
] as const
export type ReasoningField = (typeof reasoningFields)[number]

/** The highest effort of the model's service. */
export type MaxEffort = "high" | "xhigh" | "max"

export const toEffort = (
  level: ReasoningLevel,
  maxEffort: MaxEffort,
): Exclude<ReasoningLevel, "max"> | MaxEffort => (level === "max" ? maxEffort : level)

export const toReasoning = (
  level: ReasoningLevel | undefined,
  field: ReasoningField,
  maxEffort: MaxEffort,
): JsonObject => {
  if (level === undefined) return {}
  const effort = toEffort(level, maxEffort)
  switch (field) {
    case "reasoning_effort":
      return { reasoning_effort: effort }
    case "reasoning":
      return { reasoning: { effort } }
    case "chat_template_kwargs":
      // Templates ignore names that they do not read: most switch, gpt-oss has efforts.
      return {
        chat_template_kwargs:
          level === "none"
            ? { enable_thinking: false }
            : { enable_thinking: true, reasoning_effort: effort },
      }
    case "thinking":
      return level === "none"
        ? { thinking: { type: "disabled" } }
        : { thinking: { type: "enabled" }, reasoning_effort: effort }
  }
}
