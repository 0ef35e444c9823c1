/** Estimates a stage's prompt before the run: mode, sections, tokens. */
import type { ExpressionScope } from "@planloom/expression"
import type { KindWork } from "@planloom/core/internal"
import { renderSection } from "@planloom/prompt"
import { estimate, type TokenCounter } from "@planloom/prompt/tokens"
import { isKnown } from "./isKnown.ts"

type NodePrompt = NonNullable<KindWork["prompt"]>

export interface PromptEstimate {
  readonly name: string
  readonly mode: string | undefined
  readonly sections: ReadonlyArray<string>
  readonly tools: "all" | "none" | "navigation" | "task" | ReadonlyArray<string>
  /** Tools and groups that a lazy mode declares in full; undefined for a mode that is not lazy. */
  readonly hot: ReadonlyArray<string> | undefined
  /** At most the limit, if the mode shortens what is longer. */
  readonly tokens: number
  /** Of all sections, whatever the limit. */
  readonly untruncated: number
  /** Whether the model's own tokenizer counted the tokens. */
  readonly exact: boolean
  /** The mode's `max_tokens`. */
  readonly limit: number | undefined
  /** Sections that need results of other stages; they are not counted. */
  readonly open: ReadonlyArray<string>
}

export const promptEstimate = (
  prompt: NodePrompt,
  scope: ExpressionScope,
  counter: TokenCounter = estimate,
): PromptEstimate => {
  const variant = variantOf(prompt, scope)
  const open: Array<string> = []
  let tokens = 0
  for (const section of variant.sections) {
    const known = typeof section.text === "string" || isKnown(section.text, scope)
    const text = known ? renderSection(section, scope) : undefined
    if (typeof text === "string") tokens += counter.count(text)
    else open.push(section.id)
  }
  return {
    name: prompt.name,
    mode: prompt.modeSource,
    sections: variant.sections.map(({ id }) => id),
    tools: variant.tools,
    hot: variant.hot,
    tokens: variant.truncate.length === 0 ? tokens : Math.min(tokens, variant.maxTokens ?? tokens),
    untruncated: tokens,
    exact: counter.exact,
    limit: variant.maxTokens,
    open,
  }
}

/** Returns the variant of the mode that the inputs select; the longest if the mode needs a stage's result. */
const variantOf = ({ alone, mode, modes }: NodePrompt, scope: ExpressionScope) => {
  if (mode === undefined) return alone
  const all = [...modes.values()]
  const longest = all.toSorted((a, b) => b.sections.length - a.sections.length)[0]!
  if (!isKnown(mode, scope)) return longest
  try {
    return modes.get(String(mode.evaluate(scope))) ?? longest
  } catch {
    return longest
  }
}
