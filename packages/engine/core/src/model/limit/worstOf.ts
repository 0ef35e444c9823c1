/** Estimates the most tokens and money that a model call can use. */
import * as Effect from "effect/Effect"
import type { ModelRequest } from "@planloom/plugin/effect"
import { costOf, outputLimit, worstCost, type ModelFacts } from "@planloom/plugin/facts"
import {
  besideTexts,
  mostTokens,
  textTokens,
  tokenBound,
  tokenCounter,
  type TokenCounter,
} from "@planloom/prompt/tokens"
import type { Worst } from "./Ledger.ts"

/**
 * The most that a call can be expected to take: the prompt as its model counts it, and the longest reply. Where neither
 * the request nor the facts limit the reply, it is `Infinity`.
 */
export const worstOf = (
  request: ModelRequest,
  facts: ModelFacts | undefined,
): Effect.Effect<Worst> =>
  Effect.map(tokenCounter(facts), (counter) => sizeOf(request, facts, counter, expected))

/** The same with more than the prompt can take, where its tokens are only estimated. */
export const boundOf = (
  request: ModelRequest,
  facts: ModelFacts | undefined,
): Effect.Effect<Worst> =>
  Effect.map(tokenCounter(facts), (counter) => sizeOf(request, facts, counter, tokenBound))

const expected = (request: ModelRequest): number =>
  textTokens(request, mostTokens) + besideTexts(request, { exact: false })

const sizeOf = (
  request: ModelRequest,
  facts: ModelFacts | undefined,
  counter: TokenCounter,
  uncounted: (request: ModelRequest) => number,
): Worst => {
  const counted = textTokens(request, counter.count)
  // Tokenizers take their time: what was counted exactly is not counted twice.
  const prompt = counter.exact ? counted + besideTexts(request, counter) : uncounted(request)
  const context = facts?.context ?? Infinity
  const reply = outputLimit(request.maxTokens, facts) ?? context
  const input = Math.min(prompt, context)
  const output = Math.min(reply, Math.max(0, context - input))
  return {
    tokens: input + output,
    cost: worstCost(input, output, facts),
    prompt: {
      tokens: counted,
      exact: counter.exact,
      cost: costOf({ input: counted, output: 0 }, facts?.price),
    },
  }
}
