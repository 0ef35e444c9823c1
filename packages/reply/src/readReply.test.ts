/** A reply gets one verdict, whether it is plain JSON or takes the salvage parser. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { JsonSchema, ModelReply } from "@planloom/plugin/effect"
import { readReply } from "./readReply.ts"

const reply = (text: string): ModelReply => ({
  text,
  model: "vendor/any",
  reasoning: "",
  toolCalls: [],
  finish: "stop",
  usage: { input: 1, output: 1 },
})

const read = (text: string, schema: JsonSchema) => Effect.runPromise(readReply(reply(text), schema))

const onDay: JsonSchema = {
  type: "object",
  properties: { on: { type: "string", format: "date" } },
  required: ["on"],
}

/** Takes years in JavaScript's own RegExp. */
const hostile = `${"a".repeat(50_000)}!`

const plan: JsonSchema = {
  type: "object",
  properties: { steps: { type: "array", items: { type: "object" } } },
  required: ["steps"],
  additionalProperties: false,
}

describe("a plan in a model's reply", () => {
  it("keeps its steps where closers were lost between them", async () => {
    const text = '{"steps": [{"id": 1, "args": {"q": 2}, {"id": 3, "args": {"q": 4}, {"id": 5}]}'
    const result = await read(text, plan)
    const steps = [{ id: 1, args: { q: 2 } }, { id: 3, args: { q: 4 } }, { id: 5 }]
    assert.deepStrictEqual(result.ok && result.value, { steps })
  })

  it.each([
    ["one closer too many cuts a step off", '{"steps": [{"id": 1}]}, {"id": 2}]}'],
    [
      "a list of steps is given twice in valid JSON",
      '{"steps": [{"id": 1}], "steps": [{"id": 2}]}',
    ],
    ["an argument is given twice in valid JSON", '{"steps": [{"id": 1, "q": "a", "q": "b"}]}'],
    ["items are left out by an ellipsis", '{"steps": [{"id": 1}, ...]}'],
    ["steps stand under a name that the schema does not have", '{"steps": [], "Plan B": [{}]}'],
    [
      "lost closers leave two readings",
      '{"steps": [{"id": 1, "on": [{"a": 2}, {"id": 3, "on": []}]}',
    ],
  ])("is refused and can be asked for again where %s", async (_, text) => {
    const result = await read(text, plan)
    assert.isFalse(result.ok)
    assert.isTrue(!result.ok && !result.hopeless && result.issues.length > 0)
  })
})

describe("a model's reply", () => {
  it.each([
    ['{"on":"2024-02-29"}', true],
    ['{"on":"2024-02-29",}', true],
    ['{"on":"tomorrow"}', false],
    ['{"on":"tomorrow",}', false],
    ['```json\n{"on":"tomorrow"}\n```', false],
  ])("%s is valid (%s) by format, however it is written", async (text, ok) => {
    assert.strictEqual((await read(text, onDay)).ok, ok)
  })

  it.each([
    ["as plain JSON", (text: string) => text],
    ["repaired", (text: string) => text.replace("}", ",}")],
  ])("is matched with a pattern in linear time, %s", async (_, written) => {
    const schema = { type: "object", properties: { code: { pattern: "^(a+)+$" } } }
    const { ok } = await read(written(JSON.stringify({ code: hostile })), schema)
    assert.isFalse(ok)
  })

  it.each([
    ["as plain JSON", (text: string) => text],
    ["repaired", (text: string) => text.replace("}", ",}")],
  ])("has its keys matched with patternProperties in linear time, %s", async (_, written) => {
    const schema = {
      type: "object",
      patternProperties: { "^(a+)+$": true },
      additionalProperties: false,
    }
    const { ok } = await read(written(JSON.stringify({ [hostile]: 1, aaa: 1 })), schema)
    assert.isBoolean(ok)
  })

  it.each(["http://json-schema.org/draft-07/schema#", undefined])(
    "is held to a tuple of draft-07 ($schema: %s), plain or repaired",
    async ($schema) => {
      const tuple = {
        type: "array",
        items: [{ type: "string" }, { type: "integer" }],
        additionalItems: false,
        minItems: 2,
      }
      const schema = $schema === undefined ? tuple : { $schema, ...tuple }
      for (const text of ['["a",1]', '["a",1,]']) assert.isTrue((await read(text, schema)).ok, text)
      for (const text of ['["a",{}]', '["a",{},]'])
        assert.isFalse((await read(text, schema)).ok, text)
    },
  )
})
