import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { assemblePrompt } from "./assemblePrompt.ts"
import { compilePrompts } from "./compilePrompts.ts"
import { systemBlocks } from "./systemBlocks.ts"

const files = new Map([
  ["planner", { path: "prompts/planner.md", text: "Plan for ${{ inputs.who }}." }],
  ["style", { path: "prompts/style.md", text: "Be short." }],
])
const full = { sections: ["style", "task"], tools: "all", max_tokens: undefined } as const
const prompts = compilePrompts({ full }, files)

const blocksOf = (mode: string | undefined) =>
  Effect.map(
    assemblePrompt(
      { messages: [] },
      {
        work: { uses: "chat", prompt: prompts.of({ use: "planner", mode }), model: undefined },
        scope: { inputs: { who: "Ada" } },
        pipeline: { facts: new Map(), prompts },
        registry: new Map(),
        pinned: undefined,
        hooks: undefined,
        unknownMode: () => {},
      },
    ),
    ({ sections }) => systemBlocks(sections),
  )

describe("a compiled prompt", () => {
  it.effect("gives the sections of its mode in order, constant ones as a block to keep", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* blocksOf("full"), [
        { text: "Be short.", cache: true },
        { text: "Plan for Ada." },
      ])
    }),
  )

  it.effect("without a mode is its own text", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* blocksOf(undefined), [{ text: "Plan for Ada." }])
    }),
  )

  it("is unknown without a file", () => {
    assert.isUndefined(prompts.named("another"))
    assert.isUndefined(prompts.section("another"))
  })
})
