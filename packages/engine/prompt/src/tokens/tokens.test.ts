import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ModelFacts } from "@planloom/plugin/facts"
import { estimateTokens, tokenCounter } from "./tokens.ts"

const facts = (tokenizer: ModelFacts["tokenizer"]): ModelFacts => ({
  context: undefined,
  max_output: undefined,
  price: undefined,
  capabilities: [],
  refuses: [],
  structured: undefined,
  tokenizer,
})

describe("a token count", () => {
  it.effect("is the model's own where its tokenizer is known", () =>
    Effect.gen(function* () {
      const { count, exact } = yield* tokenCounter(facts("o200k_base"))
      assert.isTrue(exact)
      // As https://platform.openai.com/tokenizer counts them for GPT-4o.
      assert.strictEqual(count("Hello, world!"), 4)
      assert.strictEqual(count(""), 0)
    }),
  )

  it.effect("counts special tokens in a text as text", () =>
    Effect.gen(function* () {
      const { count } = yield* tokenCounter(facts("o200k_base"))
      assert.isAbove(count("<|endoftext|>"), 1)
    }),
  )

  it.effect("takes bounded time for a long word", () =>
    Effect.gen(function* () {
      const { count } = yield* tokenCounter(facts("o200k_base"))
      assert.isAbove(count("a".repeat(2_000_000)), 100_000)
    }),
  )

  it.effect("is an estimate for an unknown tokenizer, marked as such", () =>
    Effect.gen(function* () {
      const counter = yield* tokenCounter(facts(undefined))
      assert.isFalse(counter.exact)
      assert.strictEqual(counter.count("four char"), estimateTokens("four char"))
      assert.isFalse((yield* tokenCounter(undefined)).exact)
    }),
  )
})
