/** Estimates the tokens that a stage's `with:` can add to its prompt. */
import type { Json } from "@planloom/plugin/effect"
import type { CompiledValue, ExpressionScope } from "@planloom/expression"
import { IMAGE_TOKENS, mostTokens, type TokenCounter } from "@planloom/prompt/tokens"
import { isKnown } from "./isKnown.ts"

export interface WithEstimate {
  /** Tokens of all known values, if the whole prompt contains them. */
  readonly tokens: number
  /** Keys that need results of other stages or an item of a list; they are not counted. */
  readonly open: ReadonlyArray<string>
}

/** Counts as a budget reserves tokens: the upper bound if the model's tokenizer is unknown. */
export const withEstimate = (
  value: CompiledValue,
  scope: ExpressionScope,
  counter: TokenCounter | undefined,
): WithEstimate => {
  const count = counter?.exact === true ? counter.count : mostTokens
  const open: Array<string> = []
  let tokens = 0
  for (const [key, entry] of value.entries ?? []) {
    if (!isKnown(entry, scope)) {
      open.push(key)
      continue
    }
    try {
      const known = entry.evaluate(scope)
      // Images: their data is not text.
      const images = key === "attach" && Array.isArray(known) ? known.length : undefined
      tokens += images === undefined ? count(textOf(known)) : images * IMAGE_TOKENS
    } catch {
      open.push(key)
    }
  }
  return { tokens, open }
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))
