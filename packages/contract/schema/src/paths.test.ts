/** Schemas whose parts apply to one value along very many paths through `$ref`: refused, or validated in bounded time. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { cases } from "../../../../.config/cases.ts"
import { validatorOf, withAjv } from "./ajv.ts"
import { rejectionOf, schemaProblems, type Json, type SchemaObject } from "./index.ts"

const combining = ["allOf", "anyOf", "oneOf"] as const

/** Each level applies the next one twice to the same value. */
const doubling = (levels: number, word: string, more: SchemaObject = {}): SchemaObject => {
  const $defs: { [name: string]: SchemaObject } = { S0: { type: ["integer", "object"] } }
  for (let level = 1; level <= levels; level++) {
    const $ref = `#/$defs/S${level - 1}`
    $defs[`S${level}`] = { [word]: [{ $ref }, { $ref }], ...more }
  }
  return { $ref: `#/$defs/S${levels}`, $defs }
}

/** Each level of a value is reached along two paths: time doubles with each of its levels. */
const recursions: ReadonlyArray<readonly [name: string, schema: SchemaObject]> = [
  ...combining.map((word) => {
    const schema = {
      [word]: [{ properties: { a: { $ref: "#" } } }, { properties: { a: { $ref: "#" } } }],
    }
    return [word, schema] as const
  }),
  [
    "a pattern beside a property",
    { properties: { a: { $ref: "#" } }, patternProperties: { a: { $ref: "#" } } },
  ],
  ["contains beside items", { items: { $ref: "#" }, contains: { $ref: "#" } }],
  [
    "if and then",
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword
    { if: { properties: { a: { $ref: "#" } } }, then: { properties: { a: { $ref: "#" } } } },
  ],
  [
    "an anchor",
    {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          $anchor: "x",
          allOf: [{ properties: { a: { $ref: "#x" } } }, { properties: { a: { $ref: "#x" } } }],
        },
      },
    },
  ],
  [
    "a dynamic anchor",
    {
      $dynamicAnchor: "x",
      allOf: [
        { properties: { a: { $dynamicRef: "#x" } } },
        { properties: { a: { $dynamicRef: "#x" } } },
      ],
    },
  ],
  [
    "an id",
    {
      $id: "https://example.com/a/s.json",
      allOf: [
        { properties: { a: { $ref: "s.json" } } },
        { properties: { a: { $ref: "/a/s.json#" } } },
      ],
    },
  ],
  [
    "unevaluated properties",
    {
      unevaluatedProperties: false,
      allOf: [{ properties: { a: { $ref: "#" } } }, { properties: { a: { $ref: "#" } } }],
    },
  ],
]

const nested = (levels: number, isList = false): Json => {
  let value: Json = 1
  for (let level = 0; level < levels; level++) value = isList ? [value] : { a: value }
  return value
}

describe("a schema whose parts apply to one value along too many paths", () => {
  it.each(combining)("through %s is a problem, and nothing is validated against it", (word) => {
    fc.assert(
      fc.property(fc.integer({ min: 14, max: 60 }), (levels) => {
        const schema = doubling(levels, word)
        const [problem] = schemaProblems(schema)
        assert.strictEqual(problem?.kind, "paths")
        assert.include(rejectionOf(schema)?.message, "paths through")
        assert.throws(() => validatorOf(schema)(1), /paths through/)
      }),
      { numRuns: cases(10) },
    )
  })

  it("is none below the limit, and without a second path", () => {
    for (const word of combining) assert.deepStrictEqual(schemaProblems(doubling(8, word)), [])
    const chain = Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [`S${n}`, { allOf: [{ $ref: `#/$defs/S${n + 1}` }] }]),
    )
    const schema = { $ref: "#/$defs/S0", $defs: { ...chain, S150: { type: "integer" } } }
    assert.deepStrictEqual(schemaProblems(schema), [])
    assert.lengthOf(validatorOf(schema)("x"), 1)
  })
})

describe("a schema of which a value multiplies the paths", () => {
  it.each(recursions)("is refused for a deep value, not validated: %s", (name, schema) => {
    assert.deepStrictEqual(schemaProblems(schema), [])
    const [issue, ...more] = validatorOf(schema)(nested(200, name.includes("items")))
    assert.deepStrictEqual([issue?.keyword, more], ["$ref", []], issue?.message)
  })

  it.each(recursions)("validates a value of few levels as Ajv does: %s", (name, schema) => {
    for (const levels of [0, 1, 3, 6]) {
      const value = nested(levels, name.includes("items"))
      assert.strictEqual(
        validatorOf(schema)(value).length === 0,
        withAjv(schema)(value).length === 0,
      )
    }
  })
})

describe("a recursive schema of usual data", () => {
  const tree: SchemaObject = {
    $ref: "#/$defs/node",
    $defs: {
      node: {
        type: "object",
        required: ["value"],
        properties: {
          value: { type: "integer" },
          left: { anyOf: [{ type: "null" }, { $ref: "#/$defs/node" }] },
          right: { anyOf: [{ type: "null" }, { $ref: "#/$defs/node" }] },
        },
        additionalProperties: false,
      },
    },
  }
  const grown = (levels: number): Json =>
    levels === 0 ? null : { value: levels, left: grown(levels - 1), right: grown(levels - 1) }

  it("validates thousands of parts, and a chain at the limit of nesting", () => {
    assert.deepStrictEqual(validatorOf(tree)(grown(13)), [])
    let chain: Json = null
    for (let level = 0; level < 499; level++) chain = { value: level, left: chain }
    assert.deepStrictEqual(validatorOf(tree)(chain), [])
    assert.lengthOf(validatorOf(tree)({ value: 1, left: { value: "x" } }), 1)
  })
})
