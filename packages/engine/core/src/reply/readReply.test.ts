/** A reply gets one verdict, whether it is plain JSON or takes the salvage parser. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { JsonSchema, ModelReply } from "@planloom/plugin/effect"
import { cases } from "../../../../../.config/cases.ts"
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

const tools: JsonSchema = {
  type: "object",
  required: ["tools", "risk"],
  properties: {
    tools: { type: "array", items: { type: "string" } },
    risk: { type: "integer", default: 3 },
    note: { type: "string", default: "none" },
    inner: { type: "object", properties: { deep: { type: "boolean", default: true } } },
  },
}

describe("a member with a default", () => {
  it("is filled in when the reply lacks it, and only then", () =>
    fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            tools: fc.array(fc.constantFrom("a", "b")),
            risk: fc.integer({ min: 0, max: 9 }),
            note: fc.constantFrom("", "x"),
            inner: fc.record({ deep: fc.boolean() }, { requiredKeys: [] }),
          },
          { requiredKeys: ["tools"] },
        ),
        fc.constantFrom(
          (text: string) => text,
          (text: string) => `<reasoning>Because.</reasoning>\n${text}`,
          (text: string) => `\`\`\`json\n${text}\n\`\`\``,
          (text: string) => text.replaceAll('"', "'"),
        ),
        async (value, dressed) => {
          const result = await read(dressed(JSON.stringify(value)), tools)
          assert.isTrue(result.ok)
          if (!result.ok) return
          assert.deepStrictEqual(result.value, {
            risk: 3,
            note: "none",
            ...value,
            ...(value.inner === undefined ? {} : { inner: { deep: true, ...value.inner } }),
          })
          const filled = result.repairs.flatMap(({ detail, kind, path }) =>
            kind === "filled" ? [`${path}/${detail}`] : [],
          )
          const missing = [
            ...(["risk", "note"] as const).flatMap((name) => (name in value ? [] : [`/${name}`])),
            ...(value.inner !== undefined && !("deep" in value.inner) ? ["/inner/deep"] : []),
          ]
          assert.sameMembers(filled, missing)
        },
      ),
      { numRuns: cases(100) },
    ))

  it("is asked for again if it has no default", async () => {
    assert.isFalse((await read('{"risk": 1}', tools)).ok)
  })
})

describe("reasoning around a value", () => {
  const text = fc
    .array(fc.constantFrom("why", " ", "\n", "{", "}", '"a": 1', "<b>", "```", "1"), {
      maxLength: 8,
    })
    .map((parts) => parts.join(""))

  it("is not a repair, wherever whole blocks of it stand", () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom("reasoning", "think", "thinking", "REASONING"),
        text,
        fc.constantFrom("before", "after", "both"),
        fc.constantFrom("", "\n", "\n\n"),
        async (tag, thought, place, gap) => {
          const block = `<${tag}>${thought}</${tag}>`
          const value = '{"steps": [{"id": 1}]}'
          const whole = `${place === "after" ? "" : block + gap}${value}${place === "before" ? "" : gap + block}`
          const result = await read(whole, plan)
          assert.isTrue(result.ok, whole)
          if (!result.ok) return
          assert.deepStrictEqual(result.value, { steps: [{ id: 1 }] })
          assert.deepStrictEqual([result.rung, result.repairs], ["direct", []])
          assert.include(result.reasoning, thought.trim())
        },
      ),
      { numRuns: cases(200) },
    ))

  it("is left in a value whose text has such tags", async () => {
    const value = { steps: [{ say: "<think>x</think> and <reasoning>y</reasoning>" }] }
    for (const around of ["", "<reasoning>z</reasoning>"]) {
      const result = await read(around + JSON.stringify(value), plan)
      assert.deepStrictEqual(result.ok && result.value, value)
    }
  })
})
