/** A stage's prompt as its system text, when it fits its mode. */
import * as Effect from "effect/Effect"
import { ModelFailed, type SystemBlock } from "@planloom/plugin"
import type { ExpressionScope } from "@planloom/expression"
import { factsOf } from "@planloom/plugin/facts"
import type { Facts } from "@planloom/plugin/facts"
import type { KindWork } from "../pipeline/Pipeline.ts"
import { renderPrompt } from "./renderPrompt.ts"
import { tokenCounter } from "./tokens.ts"

/** Fails when the prompt is longer than its mode allows, counted as the stage's first model counts. */
export const systemOf = (
  { model, prompt }: KindWork,
  scope: ExpressionScope,
  facts: Facts,
): Effect.Effect<ReadonlyArray<SystemBlock>, ModelFailed> => {
  if (prompt === undefined) return Effect.succeed([])
  const { system, tokens, variant } = renderPrompt(prompt, scope)
  const limit = variant.maxTokens
  if (limit === undefined) return Effect.succeed(system)
  const first = model?.choices[0]?.name
  const known = first === undefined ? undefined : factsOf(first, facts)
  return Effect.flatMap(tokenCounter(known), (counter) => {
    const count = tokens(counter)
    if (count <= limit) return Effect.succeed(system)
    return Effect.fail(
      new ModelFailed({
        class: "context_length",
        model: "none",
        message: `the prompt "${prompt.name}" has ${counter.exact ? "" : "about "}${count} tokens, its mode allows ${limit}`,
      }),
    )
  })
}
