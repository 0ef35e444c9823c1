import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ModelRequest } from "@planloom/plugin/effect"
import type { ModelFacts } from "@planloom/plugin/facts"
import { estimateTokens, tokenCounter } from "@planloom/prompt/tokens"
import { worstOf } from "./worstOf.ts"

const facts = (tokenizer: ModelFacts["tokenizer"]): ModelFacts => ({
  context: undefined,
  max_output: undefined,
  price: undefined,
  capabilities: [],
  refuses: [],
  structured: undefined,
  tokenizer,
})

const asking = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "small",
  system: [],
  messages: [{ role: "user", content: text }],
  maxTokens: 1,
  ...more,
})

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n")

/** What fills the prompts of those who work with data, and has far fewer characters in a token than prose. */
const dense: Record<string, string> = {
  "a table": lines(
    300,
    (i) => `202${i % 5}-01-1${i % 9},${(i * 7919) % 99991}.${i % 97},${(i * 104729) % 999},EU`,
  ),
  "rows of JSON": JSON.stringify(
    Array.from({ length: 200 }, (_, i) => ({ id: i, v: ((i * 7919) % 99991) / 100, ok: i < 9 })),
  ),
  ids: lines(50, (i) => `ffca9cf0-3d53-4056-ab3b-8fbd9ab3${1000 + i * 13}`),
  "hexadecimal numbers": lines(300, (i) =>
    ((BigInt(i + 1) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn).toString(16),
  ),
  "an encoded file": Buffer.from(
    Uint8Array.from({ length: 3000 }, (_, i) => (i * 7919) >> 3),
  ).toString("base64"),
  marks: "{}[]();:,.<>?!@#$%^&*".repeat(100),
}

describe("the most a call can take", () => {
  for (const [what, text] of Object.entries(dense)) {
    it.effect(`is no less than what ${what} takes, where the model's tokenizer is not known`, () =>
      Effect.gen(function* () {
        const { count, exact } = yield* tokenCounter(facts("o200k_base"))
        assert.isTrue(exact)
        const { tokens } = yield* worstOf(asking(text), facts(undefined))
        assert.isAtLeast(tokens, count(text))
      }),
    )
  }

  it.effect("leaves prose at about half as much again as its estimate", () =>
    Effect.gen(function* () {
      const text = "Compare the regions. ".repeat(100)
      const { tokens } = yield* worstOf(asking(text), facts(undefined))
      assert.isAtLeast(tokens, 1.5 * estimateTokens(text))
      assert.isAtMost(tokens, 1.7 * estimateTokens(text))
    }),
  )

  it.effect("includes what services add for tools and JSON", () =>
    Effect.gen(function* () {
      const plain = yield* worstOf(asking("hi"), facts(undefined))
      const tools = [{ name: "find", description: "Finds.", inputSchema: { type: "object" } }]
      const withTools = yield* worstOf(
        asking("hi", { tools: tools as unknown as NonNullable<ModelRequest["tools"]> }),
        facts(undefined),
      )
      // Anthropic's documentation tells up to 530 tokens of system prompt for the use of tools.
      assert.isAtLeast(withTools.tokens - plain.tokens, 530)
    }),
  )
})
