/** Compares a level of reasoning with the levels that a model supports. */
import type { ModelFacts } from "./Facts.ts"
import type { ReasoningLevel } from "../component/Model.ts"

/** Whether requests to the model can contain a level. A model of unknown capabilities is assumed to reason. */
export const isReasoningModel = (facts: ModelFacts | undefined): boolean =>
  facts === undefined ||
  facts.reasoning !== undefined ||
  facts.capabilities.length === 0 ||
  facts.capabilities.includes("reasoning")

/** The levels the model supports in place of `level`; undefined if it supports that one, or if they are unknown. */
export const unsupportedReasoning = (
  level: ReasoningLevel | undefined,
  facts: ModelFacts | undefined,
): ReadonlyArray<ReasoningLevel> | undefined => {
  if (level === undefined) return undefined
  const levels = isReasoningModel(facts) ? facts?.reasoning : none
  return levels === undefined || levels.includes(level) ? undefined : levels
}

const none: ReadonlyArray<ReasoningLevel> = ["none"]
