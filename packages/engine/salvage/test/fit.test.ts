/** Coercion of values that nearly fit the schema, and rejection of others. */
import { describe, expect, it } from "vitest"
import { parse } from "../src/parse.ts"
import { stream } from "../src/stream.ts"
import type { Json, Schema } from "../src/Salvage.ts"

const made = (value: unknown, schema: Schema) => {
  const result = parse(JSON.stringify({ v: value }), {
    type: "object",
    properties: { v: schema },
    required: ["v"],
  })
  if (!result.ok) return undefined
  return {
    value: (result.value as { v: Json }).v,
    kinds: result.repairs.map(({ kind, path }) => `${kind} ${path}`),
  }
}

const risk: Schema = { enum: ["LOW", "Élevé", "not_known"] }

describe("coercion", () => {
  it.each<{ from: unknown; schema: Schema; to: Json; kind: string }>([
    { from: "12", schema: { type: "integer" }, to: 12, kind: "to_number" },
    { from: "1,234.5", schema: { type: "number" }, to: 1234.5, kind: "to_number" },
    { from: "$ 99", schema: { type: "number" }, to: 99, kind: "to_number" },
    { from: "1/4", schema: { type: "number" }, to: 0.25, kind: "to_number" },
    { from: 12.5, schema: { type: "string" }, to: "12.5", kind: "to_string" },
    { from: true, schema: { type: "string" }, to: "true", kind: "to_string" },
    { from: "Yes", schema: { type: "boolean" }, to: true, kind: "to_boolean" },
    { from: 0, schema: { type: "boolean" }, to: false, kind: "to_boolean" },
    { from: "eleve", schema: risk, to: "Élevé", kind: "to_enum" },
    { from: "Not known", schema: risk, to: "not_known", kind: "to_enum" },
    { from: "low: for now", schema: risk, to: "LOW", kind: "to_enum" },
    {
      from: "a",
      schema: { type: "array", items: { type: "string" } },
      to: ["a"],
      kind: "to_array",
    },
    {
      from: '["a"]',
      schema: { type: "array", items: { type: "string" } },
      to: ["a"],
      kind: "unwrapped",
    },
    {
      from: "{n: 1}",
      schema: { type: "object", required: ["n"] },
      to: { n: 1 },
      kind: "unwrapped",
    },
    { from: { value: 3 }, schema: { type: "integer" }, to: 3, kind: "unwrapped" },
    {
      from: [{ n: 1 }],
      schema: { type: "object", required: ["n"] },
      to: { n: 1 },
      kind: "unwrapped",
    },
    {
      from: "2024/3/9",
      schema: { type: "string", format: "date" },
      to: "2024-03-09",
      kind: "to_date",
    },
    {
      from: "March 9th, 2024",
      schema: { type: "string", format: "date" },
      to: "2024-03-09",
      kind: "to_date",
    },
    {
      from: "2024-03-09 7:05 +0100",
      schema: { type: "string", format: "date-time" },
      to: "2024-03-09T07:05:00+01:00",
      kind: "to_date",
    },
  ])("makes $to of $from and says so", ({ from, schema, to, kind }) => {
    expect(made(from, schema)).toEqual({ value: to, kinds: [`${kind} /v`] })
  })

  it.each<{ from: unknown; schema: Schema }>([
    { from: "about 12", schema: { type: "number" } },
    { from: "12%", schema: { type: "number" } },
    { from: 12.5, schema: { type: "integer" } },
    { from: "maybe", schema: { type: "boolean" } },
    { from: 2, schema: { type: "boolean" } },
    { from: null, schema: { type: "string" } },
    { from: "not LOW", schema: risk },
    { from: "LOW or Élevé", schema: risk },
    { from: "01/02/2024", schema: { type: "string", format: "date" } },
    { from: "words", schema: { type: "object" } },
    { from: { a: 1, b: [1] }, schema: { type: "array", items: { type: "integer" } } },
    { from: ["x"], schema: { type: "array", items: { type: "integer" } } },
  ])("refuses $from", ({ from, schema }) => {
    expect(made(from, schema)).toBeUndefined()
  })
})

describe("names", () => {
  const schema = {
    type: "object",
    properties: {
      orderId: { type: "integer" },
      city: { type: "string", "x-aliases": ["town"] },
      kind: { type: "string", "x-alias": "art" },
    },
    required: ["orderId", "city", "kind"],
    additionalProperties: false,
  }

  it("match without case, accents and marks, and by alias", () => {
    const result = parse('{"Order-ID": 1, "Town": "Oslo", "art": "x"}', schema)
    expect(result).toMatchObject({ ok: true, value: { orderId: 1, city: "Oslo", kind: "x" } })
    expect(result.ok && result.repairs.map(({ detail }) => detail)).toEqual([
      "Order-ID → orderId",
      "Town → city",
      "art → kind",
    ])
  })

  it("that an x-alias replaces are rejected", () => {
    expect(parse('{"orderId": 1, "city": "Oslo", "kind": "x"}', schema).ok).toBe(false)
  })

  it("that are not allowed are dropped with a repair", () => {
    const result = parse('{"orderId": 1, "city": "Oslo", "art": "x", "mood": "fine"}', schema)
    expect(result).toMatchObject({ ok: true, value: { orderId: 1, city: "Oslo", kind: "x" } })
    expect(result.ok && result.repairs).toContainEqual(
      expect.objectContaining({ kind: "dropped_member", path: "/mood" }),
    )
  })
})

describe("members", () => {
  const schema: Schema = {
    type: "object",
    properties: { day: { type: "string" }, note: { type: "string" } },
    required: ["day"],
    additionalProperties: false,
  }

  it("that are optional and null are dropped with a repair", () => {
    const result = parse('{"day": "x", "note": null}', schema)
    expect(result).toMatchObject({ ok: true, value: { day: "x" } })
    expect(result.ok && result.repairs).toMatchObject([{ kind: "dropped_member", path: "/note" }])
    expect(parse('{"day": null}', schema).ok).toBe(false)
  })

  it("are unwrapped from a single outer name rather than dropped", () => {
    const optional = { ...schema, required: [] }
    expect(parse('{"result": {"day": "x"}}', optional)).toMatchObject({ value: { day: "x" } })
  })

  it.each([
    '{"one": {"x": 1, "n": "2", "m": 3}',
    '{"list": [{"x": 1}, {"x": 2, "n": 3}',
    '{"one": {"x": 1, "n": 2}, "m": 3}',
  ])("of an object without its closing bracket are not moved to the outer one: %s", (text) => {
    const inner = { type: "object", properties: { x: { type: "integer" } }, required: ["x"] }
    const outer: Schema = {
      type: "object",
      properties: {
        one: inner,
        list: { type: "array", items: inner },
        n: { type: "integer" },
        m: { type: "integer" },
      },
      required: ["n"],
    }
    expect(parse(text, outer).ok).toBe(false)
  })

  it("with null at the end of the text are kept", () => {
    const nullable = { type: "object", properties: { a: { type: "null" } }, required: ["a"] }
    expect(parse('{"a": null', nullable)).toMatchObject({ value: { a: null }, complete: false })
    expect(parse('{"a": nul', nullable).ok).toBe(false)
  })
})

describe("schemas", () => {
  const shapes: Schema = {
    oneOf: [{ $ref: "#/$defs/circle" }, { $ref: "#/$defs/square" }],
    $defs: {
      circle: {
        type: "object",
        properties: { kind: { const: "circle" }, r: { type: "number" } },
        required: ["kind", "r"],
      },
      square: {
        type: "object",
        properties: { kind: { const: "square" }, a: { type: "number" } },
        required: ["kind", "a"],
      },
    },
  }

  it("resolve a union to the branch that fits best", () => {
    expect(parse('{"kind": "Square", "a": "2"}', shapes)).toMatchObject({
      ok: true,
      value: { kind: "square", a: 2 },
    })
  })

  it("may refer to themselves", () => {
    const tree: Schema = {
      type: "object",
      properties: { n: { type: "integer" }, kids: { type: "array", items: { $ref: "#" } } },
      required: ["n"],
    }
    expect(parse('{"n": "1", "kids": {"n": 2}}', tree)).toMatchObject({
      ok: true,
      value: { n: 1, kids: [{ n: 2 }] },
    })
  })

  it("that contain lists of themselves terminate", () => {
    const anything: Schema = {
      $ref: "#/$defs/v",
      $defs: {
        v: { anyOf: [{ type: "integer" }, { type: "array", items: { $ref: "#/$defs/v" } }] },
      },
    }
    expect(parse('["1", ["x"],]', anything)).toMatchObject({ ok: false })
    expect(parse('["1", [2,]]', anything)).toMatchObject({ ok: true, value: [1, [2]] })
  })

  it("of draft-07 are supported", () => {
    const pair: Schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      items: [{ type: "integer" }, { type: "string" }],
      additionalItems: false,
    }
    expect(parse('["1", 2]', pair)).toMatchObject({ ok: true, value: [1, "2"] })
    expect(parse('["1", 2, 3]', pair).ok).toBe(false)
  })

  it("are validated in full after fitting", () => {
    expect(
      parse('{"n": 5,}', { properties: { n: { type: "integer", maximum: 4 } } }),
    ).toMatchObject({
      ok: false,
      reasons: [{ message: "/n must be <= 4", path: "/n", at: { offset: 6 } }],
    })
  })

  it("of a scalar match a fenced scalar; other fenced text matches a string schema only", () => {
    expect(parse("```json\n12\n```", { type: "integer" })).toMatchObject({ ok: true, value: 12 })
    expect(parse('~~~\n"LOW"\n~~~', risk)).toMatchObject({ ok: true, value: "LOW" })
    expect(parse("```\ntrue", { type: "boolean" })).toMatchObject({ ok: true, value: true })
    expect(parse("```js\nf()\n```", { type: "string" })).toMatchObject({
      ok: true,
      value: "```js\nf()\n```",
    })
    expect(parse("```\n1\n```\nor\n```\n2\n```", { type: "integer" }).ok).toBe(false)
  })

  it("of type string accept prose as the answer", () => {
    expect(parse("It is fine.", { type: "string" })).toMatchObject({
      ok: true,
      value: "It is fine.",
    })
    expect(parse("I would say LOW.", risk)).toMatchObject({ ok: true, value: "LOW" })
    expect(parse("It is not LOW.", risk).ok).toBe(false)
  })
})

describe("recovery options", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      id: { type: "integer" },
      tags: { type: "array", items: { type: "string" } },
      note: { type: "string", default: "none" },
      unit: { enum: ["km", "mi"] },
    },
    required: ["id", "tags", "unit"],
  }
  const repairsOf = (result: ReturnType<typeof parse>) =>
    result.ok ? result.repairs.map(({ kind, detail }) => `${kind} ${detail ?? ""}`) : []

  it("do nothing unless they are set", () => {
    expect(parse('{"id": 1}', schema).ok).toBe(false)
    expect(parse('{"id": 1, "tags": [], "unit": "km"}', schema)).toMatchObject({
      value: { id: 1, tags: [], unit: "km" },
    })
    expect(parse('["x", 2]', { type: "array", items: { type: "integer" } }).ok).toBe(false)
    expect(parse('[1, ["a"], "n", "km"]', schema).ok).toBe(false)
  })

  it("fill in defaults with a repair", () => {
    const result = parse('{"id": 1, "tags": [], "unit": "km"}', schema, { fill: "defaults" })
    expect(result).toMatchObject({ value: { id: 1, tags: [], unit: "km", note: "none" } })
    expect(repairsOf(result)).toEqual(["filled note"])
    expect(parse('{"id": 1}', schema, { fill: "defaults" }).ok).toBe(false)
  })

  it("fill in required members that the schema has a value for, and no others", () => {
    const result = parse('{"id": 1}', schema, { fill: "required" })
    expect(result).toMatchObject({ value: { id: 1, tags: [], unit: "km", note: "none" } })
    expect(repairsOf(result)).toEqual(["filled tags", "filled note", "filled unit"])
    expect(parse('{"tags": ["a"]}', schema, { fill: "required" }).ok).toBe(false)
  })

  it("do not mutate the schema", () => {
    const property = { type: "array", default: [] as Array<number> }
    const list = { type: "object", properties: { list: property } }
    const first = parse("{}", list, { fill: "defaults" })
    if (first.ok) (first.value as { list: Array<Json> }).list.push(1)
    expect(property.default).toEqual([])
  })

  it("drop items that do not fit, with the reason", () => {
    const items = { type: "array", items: { type: "integer" }, minItems: 1 }
    const result = parse('["1", "x", 3]', items, { dropItems: true })
    expect(result).toMatchObject({ value: [1, 3] })
    expect(repairsOf(result)).toContain("dropped_item must be a whole number")
    expect(parse('["x"]', items, { dropItems: true }).ok).toBe(false)
  })

  it("read a list as an object by position unless in doubt", () => {
    const positional = { positional: true }
    const all = parse('[1, ["a"], "n", "km"]', schema, positional)
    expect(all).toMatchObject({ value: { id: 1, tags: ["a"], note: "n", unit: "km" } })
    expect(repairsOf(all)).toContain("positional ")
    expect(parse('[1, ["a"]]', schema, positional).ok).toBe(false)
    expect(parse('["one", ["a"], "n", "km"]', schema, positional).ok).toBe(false)
    expect(parse('[{"id": 1}]', schema, positional).ok).toBe(false)
  })

  it("require a schema", () => {
    expect(() => parse("{}", undefined, { dropItems: true })).toThrow("need a schema")
    expect(() => stream(undefined, { fill: "required" })).toThrow("need a schema")
  })
})

describe("a stream with a schema", () => {
  it("includes numbers and choices once complete, and text as it grows", () => {
    const reading = stream({
      type: "object",
      properties: { n: { type: "integer" }, t: { type: "string" }, r: risk },
    })
    reading.push('{"n": 12')
    expect(reading.partial()).toEqual({ value: {}, open: ["", "/n"], reasoning: "" })
    reading.push('3, "r": "LO')
    expect(reading.partial()).toEqual({ value: { n: 123 }, open: ["", "/r"], reasoning: "" })
    reading.push('W", "t": "so f')
    expect(reading.partial()).toEqual({
      value: { n: 123, r: "LOW", t: "so f" },
      open: ["", "/t"],
      reasoning: "",
    })
    reading.push('ar"}')
    expect(reading.end()).toMatchObject({
      ok: true,
      value: { n: 123, r: "LOW", t: "so far" },
      complete: true,
    })
  })

  it("unwraps the only object of a list if the schema requires an object", () => {
    const reading = stream({ type: "object", properties: { t: { type: "string" } } })
    reading.push('[{"t": "so f')
    expect(reading.partial()).toMatchObject({ value: { t: "so f" }, open: ["", "/t"] })
    reading.push('ar"}]')
    expect(reading.partial()).toMatchObject({ value: { t: "so far" } })
    expect(reading.end()).toMatchObject({ ok: true, value: { t: "so far" } })
  })

  it("returns reasoning apart from the value", () => {
    const reading = stream()
    reading.push("<think>let me")
    expect(reading.partial()).toEqual({ value: undefined, open: [], reasoning: "let me" })
    reading.push(' see {"a": 0}</think>{"a": 1')
    expect(reading.partial()).toMatchObject({ value: { a: 1 }, reasoning: 'let me see {"a": 0}' })
  })
})
