/** Defaults of a schema in a value: at any depth, without changing what the value has. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import type { Json, JsonSchema } from "./Schema.ts"
import { withDefaults } from "./withDefaults.ts"

const names = fc.constantFrom("a", "b", "__proto__", "constructor")

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    fc.constant({}),
    fc.record({ default: fc.oneof(fc.integer(), fc.constant({}), fc.constant([{}])) }),
    fc.record(
      {
        properties: fc.dictionary(names, tie("schema")),
        items: tie("schema"),
        additionalProperties: tie("schema"),
        allOf: fc.array(tie("schema"), { maxLength: 2 }),
        default: fc.constant({}),
      },
      { requiredKeys: [] },
    ),
  ),
}))

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.integer(),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
  ),
}))

/** Whether all of a value is in another one, at its place. */
const isIn = (part: Json, whole: Json): boolean => {
  if (typeof part !== "object" || part === null) return Object.is(part, whole)
  if (typeof whole !== "object" || whole === null) return false
  if (Array.isArray(part)) {
    const items = whole as ReadonlyArray<Json>
    return items.length === part.length && part.every((one, at) => isIn(one as Json, items[at]!))
  }
  return Object.entries(part).every(
    ([name, one]) =>
      Object.hasOwn(whole, name) && isIn(one, (whole as { readonly [key: string]: Json })[name]!),
  )
}

describe("the defaults of a schema", () => {
  it("fill a value once, and keep all that it has", () => {
    fc.assert(
      fc.property(schema, value, (one, given) => {
        const before = structuredClone(given)
        const whole = withDefaults(one, given)
        expect(given).toEqual(before)
        expect(isIn(given, whole)).toBe(true)
        expect(withDefaults(one, whole)).toEqual(whole)
      }),
      { numRuns: cases(300) },
    )
  })

  it("are filled through references, lists and defaults, and end in a schema of itself", () => {
    const tree: JsonSchema = {
      $ref: "#/$defs/tree",
      $defs: {
        tree: {
          properties: {
            size: { default: 1 },
            leaves: { default: [{}], items: { properties: { ripe: { default: false } } } },
          },
        },
      },
    }
    expect(withDefaults(tree, { leaves: [{ ripe: true }, {}] })).toEqual({
      size: 1,
      leaves: [{ ripe: true }, { ripe: false }],
    })
    expect(withDefaults(tree, {})).toEqual({ size: 1, leaves: [{ ripe: false }] })
    const endless = { properties: { next: { $ref: "#", default: {} } } }
    expect(JSON.stringify(withDefaults(endless, {})).length).toBeLessThan(200)
  })

  it("of one of several forms stay out, because the value decides on the form", () => {
    const either = { anyOf: [{ properties: { a: { default: 1 } } }, { type: "null" }] }
    expect(withDefaults(either, {})).toEqual({})
  })

  it("cannot be changed through a value", () => {
    const one = { properties: { tags: { default: ["a"] } } }
    const given = withDefaults<Json>(one, {}) as { tags: Array<string> }
    given.tags.push("b")
    expect(withDefaults<Json>(one, {})).toEqual({ tags: ["a"] })
  })
})
