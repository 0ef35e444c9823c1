import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeContext, runKind } from "../../test/context.ts"
import { call } from "./call.ts"
import { generate } from "./generate.ts"
import { workflow } from "./workflow.ts"

const schema = {
  type: "object",
  additionalProperties: false,
  required: ["title"],
  properties: { title: { type: "string" }, pages: { type: "integer" } },
} as const

describe("generate", () => {
  it.effect("gives a model's text, or its JSON of the shape asked for", () =>
    Effect.gen(function* () {
      const recorded = makeContext({ replies: [" A poem. ", { title: "Sea" }] })
      const input = { task: "Write.", context: { about: "the sea" } }
      assert.deepStrictEqual(yield* runKind(generate, "model", input, recorded), {
        text: "A poem.",
      })
      assert.deepStrictEqual(yield* runKind(generate, "model", { ...input, schema }, recorded), {
        value: { title: "Sea" },
      })
      assert.include(String(recorded.asks[0]?.messages[0]?.content), '{"about":"the sea"}')
    }),
  )

  it.effect("without a model lists what the context holds, or picks its key sentences", () =>
    Effect.gen(function* () {
      const data = { name: "sales", rows: 1200, columns: ["region", "revenue"] }
      const listed = yield* runKind(
        generate,
        "mechanical",
        { task: "Describe.", context: data },
        makeContext(),
      )
      assert.strictEqual(
        listed.text,
        "- name: sales\n- rows: 1,200\n- columns:\n  - region\n  - revenue",
      )
      const words = ["apples", "bridges", "candles", "drums", "engines", "forests", "gardens"]
      const long = [
        ...words.map((word) => `Some ${word} stand here.`),
        "Revenue rose while revenue costs fell.",
      ].join(" ")
      const short = yield* runKind(
        generate,
        "mechanical",
        { task: "What about revenue?", context: long },
        makeContext(),
      )
      assert.include(String(short.text), "Revenue rose")
      assert.isBelow(String(short.text).length, long.length)
    }),
  )

  it.effect("without a model fills a shape only from what is there", () =>
    Effect.gen(function* () {
      const filled = yield* runKind(
        generate,
        "mechanical",
        { task: "Fill.", schema, context: { book: { title: "Sea", pages: 9, price: 3 } } },
        makeContext(),
      )
      assert.deepStrictEqual(filled.value, { title: "Sea", pages: 9 })
      const failure = yield* Effect.flip(
        runKind(generate, "mechanical", { task: "Fill.", schema }, makeContext()),
      )
      assert.strictEqual(failure.class, "no_model")
    }),
  )
})

describe("call and workflow", () => {
  it.effect("hand on what they were given", () =>
    Effect.gen(function* () {
      const recorded = makeContext({
        call: ({ tool, params, inputs }) => ({ tool, params, inputs }),
        workflow: (path, inputs) => ({ path, inputs }),
      })
      const called = yield* runKind(call, "run", { tool: "top", params: { n: 1 } }, recorded)
      assert.deepStrictEqual(called, { tool: "top", params: { n: 1 }, inputs: {} })
      const ran = yield* runKind(
        workflow,
        "run",
        { path: "./other.yaml", inputs: { a: 1 } },
        recorded,
      )
      assert.deepStrictEqual(ran, { path: "./other.yaml", inputs: { a: 1 } })
    }),
  )

  it("name what a check should look for", () => {
    assert.deepStrictEqual(call.toolsOf?.({ tool: "top" }), ["top"])
    assert.deepStrictEqual(workflow.workflowsOf?.({ path: "./other.yaml" }), ["./other.yaml"])
    const outputs = { type: "object", properties: { answer: { type: "string" } } }
    const typed = typeof workflow.output === "function" ? workflow.output : () => true
    assert.deepStrictEqual(typed({ path: "./other.yaml" }, { workflow: () => outputs }), outputs)
  })
})
