/** A stage's prompt sections → system text, in order, with its length. */
import type { SystemBlock } from "@planloom/plugin"
import type { ExpressionScope } from "@planloom/expression"
import type { NodePrompt, PromptVariant } from "../pipeline/Pipeline.ts"
import { estimate, type TokenCounter } from "./tokens.ts"

export interface RenderedPrompt {
  readonly system: ReadonlyArray<SystemBlock>
  /** Its length as a model counts it; an estimate without one. */
  readonly tokens: (counter?: TokenCounter) => number
  readonly variant: PromptVariant
}

/**
 * Renders the sections of the prompt's mode. Sections without expressions are the same for every run:
 * the leading ones form a block of their own, marked so that a provider may keep it. A mode that an
 * expression gives and that is not declared counts as `full`, else as the first one declared.
 */
export const renderPrompt = (prompt: NodePrompt, scope: ExpressionScope): RenderedPrompt => {
  const variant = variantOf(prompt, scope)
  const texts = variant.sections.map(({ text }) => String(text.evaluate(scope)).trim())
  const firstDynamic = variant.sections.findIndex(({ text }) => !text.constant)
  const stable = firstDynamic < 0 ? texts.length : firstDynamic
  const system: Array<SystemBlock> = []
  if (stable > 0) system.push({ text: texts.slice(0, stable).join("\n\n"), cache: true })
  if (stable < texts.length) system.push({ text: texts.slice(stable).join("\n\n") })
  return {
    system,
    tokens: ({ count } = estimate) => texts.reduce((sum, text) => sum + count(text), 0),
    variant,
  }
}

const variantOf = ({ mode, variants }: NodePrompt, scope: ExpressionScope): PromptVariant => {
  const name = mode === undefined ? "" : String(mode.evaluate(scope))
  return variants.get(name) ?? variants.get("full") ?? variants.values().next().value!
}
