/** Types of schema literals: compiled by `tsc`, which rejects an error that is expected and missing. */
import { describe, expect, expectTypeOf, it } from "vitest"
import type { FromSchema } from "./FromSchema.ts"
import type { Json, JsonSchema } from "./Schema.ts"

describe("FromSchema", () => {
  it("types scalars, constants and enumerations", () => {
    expectTypeOf<FromSchema<{ readonly type: "string" }>>().toEqualTypeOf<string>()
    expectTypeOf<FromSchema<{ readonly type: "integer" }>>().toEqualTypeOf<number>()
    expectTypeOf<FromSchema<{ readonly type: readonly ["string", "null"] }>>().toEqualTypeOf<
      string | null
    >()
    expectTypeOf<FromSchema<{ readonly const: "a" }>>().toEqualTypeOf<"a">()
    expectTypeOf<FromSchema<{ readonly enum: readonly ["a", 1] }>>().toEqualTypeOf<"a" | 1>()
    expectTypeOf<FromSchema<true>>().toEqualTypeOf<Json>()
    expectTypeOf<FromSchema<false>>().toEqualTypeOf<never>()
  })

  it("types required and optional properties, and those that a default fills in", () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string" },
        count: { type: "integer", default: 1 },
        note: { type: "string" },
      },
      required: ["name"],
    } as const
    type Given = FromSchema<typeof schema>
    expectTypeOf<Given>().toEqualTypeOf<{
      readonly name: string
      readonly count?: number
      readonly note?: string
    }>()
    expectTypeOf<FromSchema<typeof schema, true>>().toEqualTypeOf<{
      readonly name: string
      readonly count: number
      readonly note?: string
    }>()
    const given: Given = { name: "a" }
    // @ts-expect-error a required property is missing
    const missing: Given = {}
    // @ts-expect-error a property has another type
    const wrong: Given = { name: 1 }
    // @ts-expect-error a property is not declared
    const unknown: Given = { name: "a", other: 1 }
    void [given, missing, wrong, unknown]
  })

  it("types lists, tuples, maps and objects without properties", () => {
    expectTypeOf<
      FromSchema<{ readonly type: "array"; readonly items: { readonly type: "number" } }>
    >().toEqualTypeOf<ReadonlyArray<number>>()
    expectTypeOf<
      FromSchema<{
        readonly type: "array"
        readonly prefixItems: readonly [{ readonly type: "number" }, { readonly const: true }]
      }>
    >().toEqualTypeOf<readonly [number, true]>()
    expectTypeOf<
      FromSchema<{
        readonly type: "object"
        readonly additionalProperties: { readonly type: "boolean" }
      }>
    >().toEqualTypeOf<{ readonly [name: string]: boolean }>()
    expectTypeOf<FromSchema<{ readonly type: "object" }>>().toEqualTypeOf<{
      readonly [name: string]: Json
    }>()
  })

  it("types alternatives as a union that a constant tells apart", () => {
    const schema = {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "text" }, text: { type: "string" } },
          required: ["kind", "text"],
        },
        {
          type: "object",
          properties: { kind: { const: "count" }, count: { type: "number" } },
          required: ["kind", "count"],
        },
      ],
    } as const
    const read = (value: FromSchema<typeof schema>): string | number =>
      value.kind === "text" ? value.text : value.count
    // @ts-expect-error only one alternative has the property
    const broken = (value: FromSchema<typeof schema>): string => value.text
    void broken
    expect(read({ kind: "text", text: "a" })).toBe("a")
  })

  it("follows references, and ends at a recursive one", () => {
    const schema = {
      $defs: {
        tree: {
          type: "object",
          properties: {
            name: { type: "string" },
            children: { type: "array", items: { $ref: "#/$defs/tree" } },
          },
          required: ["name"],
        },
      },
      $ref: "#/$defs/tree",
    } as const
    const tree: FromSchema<typeof schema> = { name: "a", children: [{ name: "b", children: [] }] }
    // @ts-expect-error the reference declares a string
    const wrong: FromSchema<typeof schema> = { name: "a", children: [{ name: 1 }] }
    void wrong
    expect(tree.children).toHaveLength(1)
  })

  it("is Json for a schema that is not a literal", () => {
    expectTypeOf<FromSchema<JsonSchema>>().toEqualTypeOf<Json>()
    expectTypeOf<FromSchema<{ readonly [keyword: string]: unknown }>>().toEqualTypeOf<Json>()
  })
})
