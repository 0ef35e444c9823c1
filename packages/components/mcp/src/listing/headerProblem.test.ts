/** Declarations of params that go into headers: each is accepted where it can be followed, and nowhere else. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { JsonSchema } from "@planloom/plugin/effect"
import { cases } from "../../../../../.config/cases.ts"
import { headerProblem } from "./headerProblem.ts"

const KEY = "x-mcp-header"
const type = fc.constantFrom("string", "integer", "boolean")

/** Data that looks like a declaration, and is none. */
const data = { [KEY]: "Not A Header" }

/** Objects of params, nested, of which some are declared under the number of their place. */
const valid: fc.Arbitrary<JsonSchema> = fc
  .letrec<{ param: JsonSchema; object: JsonSchema }>((tie) => ({
    param: fc.oneof(
      { depthSize: "small" },
      fc.record({ type, [KEY]: fc.constant("?") }),
      fc.record({ type, default: fc.constant(data as never) }),
      fc.record({ type: fc.constant("number"), enum: fc.constant([data] as never) }),
      tie("object") as fc.Arbitrary<JsonSchema>,
    ) as fc.Arbitrary<JsonSchema>,
    object: fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b", "properties", KEY), tie("param"), {
        maxKeys: 3,
      }),
    }) as fc.Arbitrary<JsonSchema>,
  }))
  .object.map((schema) => {
    let count = 0
    return JSON.parse(
      JSON.stringify(schema).replaceAll(`"${KEY}":"?"`, () => `"${KEY}":"Param-${++count}"`),
    ) as JsonSchema
  })

it("declarations that only properties lead to are accepted, and data is none", () => {
  fc.assert(
    fc.property(valid, (schema) => {
      expect(headerProblem(schema)).toBeUndefined()
    }),
    { numRuns: cases(100) },
  )
})

const declared = { type: "string", [KEY]: "Region" }
const wrong: ReadonlyArray<readonly [schema: object, says: string]> = [
  [declared, "stands where no single param is"],
  [{ properties: { list: { type: "array", items: declared } } }, "stands where"],
  [{ additionalProperties: declared }, "stands where"],
  [{ patternProperties: { "^x": declared } }, "stands where"],
  [{ anyOf: [{ properties: { a: declared } }] }, "stands where"],
  [{ properties: { a: { allOf: [declared] } } }, "stands where"],
  [{ if: { properties: { a: declared } } }, "stands where"],
  [{ $defs: { a: declared }, properties: { a: { $ref: "#/$defs/a" } } }, "stands where"],
  [{ properties: { a: { ...declared, [KEY]: "" } } }, "not the name of a header"],
  [{ properties: { a: { ...declared, [KEY]: "A B" } } }, "not the name of a header"],
  [{ properties: { a: { ...declared, [KEY]: "A\r\nB" } } }, "not the name of a header"],
  [{ properties: { a: { ...declared, [KEY]: 1 } } }, "not the name of a header"],
  [{ properties: { a: { ...declared, type: "number" } } }, "no text, integer or boolean"],
  [{ properties: { a: { ...declared, type: ["string", "null"] } } }, "no text, integer or boolean"],
  [{ properties: { a: { [KEY]: "Region" } } }, "no text, integer or boolean"],
  [{ properties: { a: declared, b: { ...declared, [KEY]: "region" } } }, "declared twice"],
]

it("one wrong declaration anywhere in a schema is reported", () => {
  fc.assert(
    fc.property(valid, fc.constantFrom(...wrong), (schema, [bad, says]) => {
      const { properties, ...rest } = bad as { readonly properties?: object }
      const { properties: good } = schema as { readonly properties: object }
      const both = { type: "object", ...rest, properties: { ...good, ...properties } }
      expect(headerProblem(both as JsonSchema)).toContain(says)
    }),
    { numRuns: cases(100) },
  )
})
