/** What a stage's `with:` can put into its prompt, as far as it is known before the run. */
import type { Json, JsonObject } from "@planloom/plugin"
import type { CompiledValue, ExpressionScope } from "@planloom/expression"
import type { TokenCounter } from "@planloom/core/internal"
import type { Engine } from "./promptEstimate.ts"

export interface WithEstimate {
  /** Of all that is known, were all of it put into the prompt. */
  readonly tokens: number
  /** Keys that need results of other stages, or an item of a list: they count nothing here. */
  readonly open: ReadonlyArray<string>
}

/** Counted as a budget sets it aside: where the model's tokenizer is not known, the most that can be expected. */
export const withEstimate = (
  value: CompiledValue,
  inputs: JsonObject,
  { mostTokens }: Engine,
  counter: TokenCounter | undefined,
): WithEstimate => {
  const scope: ExpressionScope = { inputs, stages: {}, run: { id: "" } }
  const count = counter?.exact === true ? counter.count : mostTokens
  const open: Array<string> = []
  let tokens = 0
  for (const [key, entry] of value.entries ?? []) {
    try {
      tokens += count(textOf(entry.evaluate(scope)))
    } catch {
      open.push(key)
    }
  }
  return { tokens, open }
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))
