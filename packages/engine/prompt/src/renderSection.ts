/** Evaluates the text of a section. */
import { ExpressionFailed, type ExpressionScope } from "@planloom/expression"
import { ModelFailed } from "@planloom/plugin/effect"
import type { PromptSection } from "./StagePrompt.ts"

/** The text of a section. */
export const renderSection = (
  { id, source, text }: PromptSection,
  scope: ExpressionScope,
): string | ModelFailed => {
  if (typeof text === "string") return text
  const value = evaluated(() => text.evaluate(scope))
  if (!(value instanceof ModelFailed)) return String(value).trim()
  return refused(
    `the section "${id}" of the prompt (${source}) cannot be evaluated: ${value.message}`,
  )
}

/** The value, or the failure of an expression. */
export const evaluated = <A>(evaluate: () => A): A | ModelFailed => {
  try {
    return evaluate()
  } catch (error) {
    if (error instanceof ExpressionFailed) return refused(error.message)
    throw error
  }
}

/** The failure of a prompt that cannot be assembled. */
export const refused = (message: string): ModelFailed =>
  new ModelFailed({ class: "invalid_request", model: "none", message })
