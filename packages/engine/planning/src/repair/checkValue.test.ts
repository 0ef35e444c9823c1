import { describe, expect, it } from "vitest"
import { checkValue } from "../index.ts"
import type { Json, JsonSchema } from "@planloom/plugin/effect"

const codes = (schema: JsonSchema, value: Json) =>
  checkValue(schema, value).map(({ path, code }) => `${code} ${path.join(".")}`)

const call = {
  type: "object",
  additionalProperties: false,
  required: ["x"],
  properties: {
    x: { type: "string", minLength: 1 },
    n: { type: ["integer", "null"], minimum: 1, maximum: 9 },
    list: { type: "array", items: { type: "number" }, maxItems: 2, uniqueItems: true },
    either: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    one: { const: "fixed" },
  },
} as const

describe("checkValue", () => {
  it.each<readonly [Json, ReadonlyArray<string>]>([
    [{ x: "a", n: 3, list: [1, 2.5], either: ["b"], one: "fixed" }, []],
    [{ x: "a", n: null, either: "b" }, []],
    [{}, ["missing x"]],
    [{ x: 1 }, ["type x"]],
    [{ x: "" }, ["range x"]],
    [{ x: "a", y: 1 }, ["unknown y"]],
    [{ x: "a", n: 2.5 }, ["type n"]],
    [{ x: "a", n: 10 }, ["range n"]],
    [{ x: "a", list: [1, "2"] }, ["type list.1"]],
    [{ x: "a", list: [1, 1] }, ["range list"]],
    [{ x: "a", list: [1, 2, 3] }, ["range list"]],
    [{ x: "a", either: 3 }, ["type either"]],
    [{ x: "a", either: ["b", 3] }, ["type either"]],
    [{ x: "a", one: "other" }, ["enum one"]],
    ["text", ["type "]],
  ])("reports the mismatches of %j", (value, mismatches) => {
    expect(codes(call, value)).toEqual(mismatches)
  })

  it("accepts any value for the schema true, no value for false", () => {
    expect(codes(true, { any: 1 })).toEqual([])
    expect(codes(false, 1)).toEqual(["unknown "])
  })

  it("requires exactly one branch of oneOf and all of allOf", () => {
    const small = { type: "integer", maximum: 5 }
    const even = { type: "integer", minimum: 3 }
    expect(codes({ oneOf: [small, even] }, 4)).toEqual(["type "])
    expect(codes({ oneOf: [small, even] }, 9)).toEqual([])
    expect(codes({ allOf: [small, even] }, 9)).toEqual(["range "])
  })

  it.each<readonly [JsonSchema, Json, ReadonlyArray<string>]>([
    [{ type: "string", pattern: "^a+$" }, "b", ["range "]],
    [{ properties: { on: { type: "string", format: "date" } } }, { on: "tomorrow" }, ["range on"]],
    [
      { properties: { n: { $ref: "#/$defs/n" } }, $defs: { n: { type: "integer" } } },
      { n: "x" },
      ["type n"],
    ],
    [{ type: "array", items: { format: "date" } }, ["2024-02-29", "x"], ["range 1"]],
    [{ type: "string", maxLength: 1 }, "😀", []],
    [{ type: "string", pattern: "(?=a)" }, "b", []],
  ])("agrees with the engine's validator for %j and %j", (schema, value, mismatches) => {
    expect(codes(schema, value)).toEqual(mismatches)
  })

  it("names the allowed values in its message", () => {
    expect(checkValue({ enum: ["sum", "avg"] }, "mode")[0]?.message).toBe(
      'must be one of sum, avg, not "mode"',
    )
  })
})
