/** Forms of questions: what a person can fill in is an answer that the question accepts. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Json, JsonObject, JsonSchema, Wait } from "@planloom/plugin/effect"
import { lightValidator } from "@planloom/schema"
import { cases } from "../../../../.config/cases.ts"
import { questionForm } from "./questionForm.ts"

const wait = (schema: JsonSchema, more: Partial<Wait> = {}): Wait => ({
  name: "q",
  kind: "signal",
  path: "q",
  message: "Which?",
  schema,
  ...more,
})

/** A schema of one field, and a value that fits it. */
const field: fc.Arbitrary<readonly [JsonSchema, Json]> = fc.oneof(
  fc.string().map((value) => [{ type: "string", maxLength: 200 }, value] as const),
  fc.integer().map((value) => [{ type: "integer" }, value] as const),
  fc.boolean().map((value) => [{ type: "boolean" }, value] as const),
  fc
    .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), {
      minLength: 1,
      // A form cannot distinguish the number 1 from the text "1".
      selector: (value) => String(typeof value === "string" ? value : JSON.stringify(value)),
    })
    .chain((values) =>
      fc.constantFrom(...values).map((value) => [{ enum: values as Array<Json> }, value] as const),
    ),
  fc
    .uniqueArray(fc.string(), { minLength: 1 })
    .chain((values) =>
      fc
        .subarray(values)
        .map((value) => [{ type: "array", items: { enum: values } }, value] as const),
    ),
)

const fieldName = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor"))

const flat = fc.dictionary(fieldName, field, { minKeys: 1, maxKeys: 5 })

/** A person's entry for the value: the text of a choice. */
const entered = ([schema, value]: readonly [JsonSchema, Json]): Json =>
  Array.isArray((schema as JsonObject)["enum"]) && typeof value !== "string"
    ? JSON.stringify(value)
    : value

describe("the form of a question", () => {
  it("shows the titles of its choices", () => {
    const named = [
      { const: 1, title: "One" },
      { const: "two", title: "Two" },
    ]
    const texts = [
      { const: "1", title: "One" },
      { const: "two", title: "Two" },
    ]
    const single = questionForm(wait({ oneOf: named }))!
    expect(single.params.requestedSchema.properties).toEqual({
      answer: { type: "string", oneOf: texts },
    })
    expect(single.answerOf({ answer: "1" })).toBe(1)
    const several = questionForm(wait({ type: "array", items: { anyOf: named }, maxItems: 2 }))!
    expect(several.params.requestedSchema.properties).toEqual({
      answer: { type: "array", items: { anyOf: texts }, maxItems: 2 },
    })
    expect(several.answerOf({ answer: ["two", "1"] })).toEqual(["two", 1])
  })

  it("gives the value that a person entered, for every schema of one field", () => {
    fc.assert(
      fc.property(field, (given) => {
        const [schema, value] = given
        const form = questionForm(wait(schema))!
        const content = { answer: entered(given) }
        expect(lightValidator(form.params.requestedSchema as never)!(content)).toEqual([])
        expect(form.answerOf(content)).toEqual(value)
      }),
      { numRuns: cases(100) },
    )
  })

  it("gives the object that a person entered, for every schema of flat fields", () => {
    fc.assert(
      fc.property(flat, (fields) => {
        const of = <A>(take: (given: readonly [JsonSchema, Json]) => A) =>
          Object.fromEntries(Object.entries(fields).map(([name, given]) => [name, take(given)]))
        const schema = {
          type: "object",
          properties: of(([one]) => one),
          required: Object.keys(fields),
        }
        const form = questionForm(wait(schema as JsonSchema))!
        const content = of(entered)
        expect(lightValidator(form.params.requestedSchema as never)!(content)).toEqual([])
        expect(form.answerOf(content)).toEqual(of(([, value]) => value))
      }),
      { numRuns: cases(100) },
    )
  })

  it("is undefined for an answer that no flat form can ask for", () => {
    for (const schema of [
      true,
      {},
      { type: "array", items: { type: "object" } },
      { type: "object" },
      { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] },
      { type: "object", properties: {}, required: ["other"] },
      { anyOf: [{ type: "string" }, { type: "integer" }] },
      { type: ["string", "null"] },
      { enum: [] },
      { enum: [1, "1"] },
      { oneOf: [{ const: 1 }, { type: "string" }] },
    ] as ReadonlyArray<JsonSchema>) {
      expect(questionForm(wait(schema)), JSON.stringify(schema)).toBeUndefined()
    }
  })

  it("leaves out a field that is not required and fits into no form", () => {
    const properties = { ok: { type: "boolean" }, rows: { type: "array" } }
    const form = questionForm(wait({ type: "object", properties, required: ["ok"] } as JsonSchema))
    expect(form?.params.requestedSchema.properties).toEqual({ ok: { type: "boolean" } })
  })

  it("shows all that a person approves, or is undefined", () => {
    const fields = [
      { name: "to", label: "To", value: "ada@example.org" },
      { name: "sum", label: "Amount", value: { usd: 3 } },
    ]
    const schema = { type: "boolean" } as const
    const form = questionForm(wait(schema, { kind: "approval", fields, show: "left out" }))
    expect(form?.params.message).toBe('Which?\nTo: ada@example.org\nAmount: {"usd":3}')
    expect(questionForm(wait(schema, { show: "x".repeat(9000) }))).toBeUndefined()
  })

  it("is undefined for a timer", () => {
    expect(questionForm(wait({ type: "boolean" }, { kind: "timer" }))).toBeUndefined()
  })
})
