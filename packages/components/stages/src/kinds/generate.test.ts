import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { JsonObject } from "@planloom/plugin/effect"
import { makeContext, runKind } from "../../../stage-kit/test/context.ts"
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
  it.effect("returns a model's text, or its JSON of the given schema", () =>
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

  it.effect("sends attached images before the text", () =>
    Effect.gen(function* () {
      const recorded = makeContext({ replies: ["A cat."] })
      const input = { task: "Describe it.", attach: ["data:image/png;base64,aGk="] }
      yield* runKind(generate, "model", input, recorded)
      assert.deepStrictEqual(recorded.asks[0]?.messages[0]?.content, [
        { type: "image", mediaType: "image/png", data: "aGk=" },
        { type: "text", text: "Describe it." },
      ])
    }),
  )

  it.effect("without a model lists the fields of the context, or its key sentences", () =>
    Effect.gen(function* () {
      const data = { name: "sales", rows: 1200, columns: ["region", "revenue"] }
      const listed = yield* runKind(
        generate,
        "mechanical",
        { task: "Describe.", context: data },
        makeContext(),
      )
      assert.strictEqual(listed.text, "- name: sales\n- rows: 1,200\n- columns: region, revenue")
      // Outputs of other stages are the texts that they hold.
      const outputs = [{ text: "Rents rose.", confidence: 1 }, { text: "Owners sell." }]
      const joined = yield* runKind(
        generate,
        "mechanical",
        { task: "Join them.", context: outputs },
        makeContext(),
      )
      assert.strictEqual(joined.text, "Rents rose.\nOwners sell.")
      const nested = runKind(
        generate,
        "mechanical",
        { task: "Describe.", context: [{ rents: { oslo: [{ may: 4 }] } }] },
        makeContext(),
      )
      assert.strictEqual((yield* Effect.flip(nested)).class, "no_model")
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

  it.effect("without a model fills a schema only from fields of the context", () =>
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

  it.effect("has the members with a default in its output, also without a model", () =>
    Effect.gen(function* () {
      const gaps: JsonObject = {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string" },
          mode: { enum: ["a", "b"], default: "a" },
          rows: { type: "array", items: { properties: { n: { type: "integer", default: 1 } } } },
        },
      }
      const filled = yield* runKind(
        generate,
        "mechanical",
        { task: "Fill.", context: { name: "Bo" }, schema: gaps },
        makeContext(),
      )
      assert.deepStrictEqual(filled.value, { name: "Bo", mode: "a" })
      const shape = (generate.output as (given: JsonObject) => JsonObject)({
        schema: gaps,
      })
      assert.deepInclude((shape["properties"] as JsonObject)["value"], {
        required: ["name", "mode"],
      })
      assert.include(JSON.stringify(shape), '"required":["n"]')
    }),
  )

  it.effect("returns its model's confidence, and asks the user below the threshold", () =>
    Effect.gen(function* () {
      const input = { task: "Name the book.", schema, confidence: { threshold: 0.6 } }
      const sure = makeContext({ replies: [{ value: { title: "Sea" }, confidence: 0.6 }] })
      assert.deepStrictEqual(yield* runKind(generate, "model", input, sure), {
        value: { title: "Sea" },
        confidence: 0.6,
      })
      const unsure = makeContext({
        replies: [{ value: { title: "Sea" }, confidence: 0.3, clarification: "Which sea?" }],
      })
      const failure = yield* Effect.flip(runKind(generate, "model", input, unsure))
      assert.deepInclude(failure, { class: "clarification", message: "Which sea?" })
      const answered = makeContext({
        replies: [{ text: " The Baltic. " }],
        answers: [{ question: "Which sea?", answer: "the Baltic" }],
      })
      const text = { task: "Name the sea.", confidence: {} }
      assert.deepStrictEqual(yield* runKind(generate, "model", text, answered), {
        text: "The Baltic.",
        confidence: 1,
      })
      assert.deepStrictEqual(answered.asks[0]?.messages.slice(1), [
        { role: "assistant", content: "Which sea?" },
        { role: "user", content: "the Baltic" },
      ])
    }),
  )

  it.effect("keeps the references of a shape when it asks for confidence", () =>
    Effect.gen(function* () {
      const tree = {
        $ref: "#/$defs/node",
        $defs: {
          node: {
            type: "object",
            required: ["name"],
            properties: {
              name: { type: "string" },
              inner: { type: "array", items: { $ref: "#/$defs/node" } },
            },
          },
        },
      } as const
      const recorded = makeContext({ replies: [{ value: { name: "a" } }] })
      yield* runKind(generate, "model", { task: "x", schema: tree, confidence: {} }, recorded)
      const asked = JSON.stringify(recorded.asks[0]?.schema)
      assert.include(asked, '"$ref":"#/properties/value/$defs/node"')
      assert.notInclude(asked, '"#/$defs/node"')
    }),
  )

  it.effect("without a model adds the user's answers to the context", () =>
    Effect.gen(function* () {
      const input = {
        task: "Fill.",
        schema,
        context: { pages: 9 },
        confidence: { clarify: "title" },
      }
      const recorded = makeContext()
      const failure = yield* Effect.flip(runKind(generate, "mechanical", input, recorded))
      assert.deepInclude(failure, { class: "clarification", message: "title" })
      const answers = [{ question: "title", answer: "Sea" }]
      assert.deepStrictEqual(
        yield* runKind(generate, "mechanical", input, makeContext({ answers })),
        { value: { title: "Sea", pages: 9 }, confidence: 1 },
      )
    }),
  )
})

describe("call and workflow", () => {
  it.effect("pass their arguments on and return the result", () =>
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

  it("name the tools and workflows of a literal with", () => {
    assert.deepStrictEqual(call.refers?.({ tool: "top" }, {}), [
      { to: "tool", id: "top", at: ["tool"] },
    ])
    assert.deepStrictEqual(workflow.refers?.({ path: "./other.yaml" }, {}), [
      { to: "workflow", id: "./other.yaml", at: ["path"] },
    ])
    const outputs = { type: "object", properties: { answer: { type: "string" } } }
    const typed = typeof workflow.output === "function" ? workflow.output : () => true
    assert.deepStrictEqual(
      typed(
        { path: "./other.yaml" },
        { given: () => undefined, workflow: () => outputs, toolResult: () => undefined },
      ),
      outputs,
    )
  })
})
