import { describe, expect, it } from "vitest"
import { validatorOf, withAjv } from "./ajv.ts"
import {
  assertedFormats,
  lightValidator,
  linearPattern,
  type Json,
  type JsonSchema,
  rejectionOf,
  schemaProblems,
  SchemaRejected,
} from "./index.ts"

/** Takes years in JavaScript's own RegExp. */
const hostile = `${"a".repeat(50_000)}!`

const refusedKeywords = (schema: JsonSchema, value: Json) =>
  [validatorOf(schema), ...(typeof schema === "object" ? [withAjv(schema)] : [])].map((validate) =>
    validate(value).map(({ keyword }) => keyword),
  )

describe("a pattern", () => {
  it("rejects a text of exponential time in RegExp, with closures and with Ajv", () => {
    expect(refusedKeywords({ pattern: "^(a+)+$" }, hostile)).toEqual([["pattern"], ["pattern"]])
  })

  it("rejects such a key in patternProperties, with closures and with Ajv", () => {
    const schema = {
      patternProperties: { "^(a+)+$": false },
      additionalProperties: { type: "string" },
    }
    const found = [validatorOf(schema), withAjv(schema)].map(
      (validate) => validate({ [hostile]: 1 }).length,
    )
    expect(found).toEqual([1, 1])
  })

  it("is distinguished from another one by Ajv, which caches patterns by text", () => {
    const schema = { properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } } }
    expect(withAjv(schema)({ a: "a", b: "b" })).toEqual([])
    expect(withAjv(schema)({ a: "x", b: "y" }).map(({ path }) => path)).toEqual(["/a", "/b"])
  })

  it.each([
    ["^\\d{4}-\\d\\d$", "2024-01", "2024-1"],
    ["\\u00e9", "café", "cafe"],
    ["^(?<year>\\d+)$", "12", "x"],
    ["^\\p{Lu}", "É", "é"],
    ["^[\\w-]+$", "a-b", "a b"],
    ["^\\/\\-$", "/-", "x"],
    ["^[^]$", "\n", ""],
    ["^.$", "😀", "ab"],
  ])("%s is read as JavaScript reads it", (pattern, fits, refused) => {
    expect(linearPattern(pattern).test(fits)).toBe(true)
    expect(linearPattern(pattern).test(refused)).toBe(false)
  })

  it.each([
    ["(?=a)b", "look-around"],
    ["(?<!a)b", "look-around"],
    ["(a)\\1", "back-reference"],
    ["a{1001}", "invalid repeat count"],
    ["(", "missing closing )"],
  ])("%s is refused with its place, never tried by JavaScript", (pattern, why) => {
    const schema = { properties: { code: { pattern } } }
    const [problem, ...more] = schemaProblems(schema)
    expect(more).toEqual([])
    expect(problem).toMatchObject({ kind: "pattern", path: ["properties", "code", "pattern"] })
    expect(problem!.message).toContain(why)
    for (const validate of [validatorOf(schema), withAjv(schema)]) {
      expect(() => validate({ code: "b" })).toThrow(SchemaRejected)
      expect(() => validate({ code: "b" })).toThrow(TypeError)
    }
  })
})

describe("a format", () => {
  it.each([
    ["date", "2024-02-29", "tomorrow"],
    ["date", "2024-02-29", "2023-02-29"],
    ["date-time", "2024-02-29T10:00:00Z", "2024-02-29T10:00:00"],
    ["time", "10:00:00+01:00", "25:00:00Z"],
    ["email", "x@example.org", "x@"],
    ["hostname", "example.org", "-"],
    ["ipv4", "127.0.0.1", "127.0.0.256"],
    ["ipv6", "::1", "::g"],
    ["uri", "https://example.org/a?b#c", "/a"],
    ["uri-reference", "/a?b", "a b"],
    ["uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567"],
    ["json-pointer", "/a~1b", "a"],
    ["regex", "^a+$", "(?=a)"],
  ])("%s is asserted the same by closures and by Ajv", (format, fits, refused) => {
    expect(refusedKeywords({ format }, fits)).toEqual([[], []])
    expect(refusedKeywords({ format }, refused)).toEqual([["format"], ["format"]])
  })

  it.each(["duration", "cel", "json-schema", "int32", "constructor"])(
    "%s is an annotation",
    (format) => {
      expect(refusedKeywords({ format }, "anything")).toEqual([[], []])
    },
  )

  it.each(assertedFormats)("%s checks a hostile text in linear time", (format) => {
    const texts = [
      hostile,
      `a@${"a-".repeat(25_000)}!`,
      `a@${"a.".repeat(25_000)}!`,
      `http://${hostile}^`,
      `http://a/${"/".repeat(50_000)}^`,
      "1:".repeat(25_000),
      `${"/~".repeat(25_000)}`,
      " ".repeat(50_000),
    ]
    const validate = lightValidator({ format })!
    const found = texts.map((text) => validate(text).length)
    expect(found).toHaveLength(texts.length)
  })
})

describe("a dialect", () => {
  const tuple = { items: [{ type: "string" }, { type: "integer" }], additionalItems: false }

  it.each([
    ["http://json-schema.org/draft-07/schema#"],
    ["http://json-schema.org/draft-07/schema"],
    ["https://json-schema.org/draft-07/schema#"],
    [undefined],
  ])("$schema %s reads a list of items as a tuple", ($schema) => {
    const schema = $schema === undefined ? tuple : { $schema, ...tuple }
    expect(refusedKeywords(schema, ["a", 1])).toEqual([[], []])
    expect(refusedKeywords(schema, ["a", "b"])).toEqual([["type"], ["type"]])
    for (const keywords of refusedKeywords(schema, ["a", 1, 2])) expect(keywords).toHaveLength(1)
  })

  it("2020-12 reads prefixItems as a tuple", () => {
    const $schema = "https://json-schema.org/draft/2020-12/schema"
    const schema = { $schema, prefixItems: [{ type: "string" }], items: false }
    expect(refusedKeywords(schema, ["a"])).toEqual([[], []])
    for (const keywords of refusedKeywords(schema, ["a", 2])) expect(keywords).toHaveLength(1)
  })

  it("draft-07 ignores newer keywords", () => {
    const $schema = "http://json-schema.org/draft-07/schema#"
    const schema = { $schema, prefixItems: [false], unevaluatedProperties: false }
    expect(refusedKeywords(schema, ["a"])).toEqual([[], []])
    expect(refusedKeywords(schema, { a: 1 })).toEqual([[], []])
  })

  it.each([
    [{ $schema: "http://json-schema.org/draft-04/schema#" }, "is not supported"],
    [{ $schema: "https://json-schema.org/draft/2020-12/schema", items: [true] }, "prefixItems"],
    [{ items: [true], prefixItems: [true] }, "prefixItems"],
  ])("%j is a problem of its dialect", (schema, why) => {
    const [problem] = schemaProblems(schema)
    expect(problem?.kind).toBe("dialect")
    expect(problem?.message).toContain(why)
    expect(() => validatorOf(schema)(1)).toThrow(SchemaRejected)
  })
})

describe("a reference", () => {
  it.each([
    [{ $ref: "#/$defs/n", $defs: { n: { type: "integer" } } }],
    [{ $ref: "#/definitions/n", definitions: { n: { type: "integer" } } }],
    [{ $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "integer" } } }],
    [{ $ref: "#n", $defs: { n: { $anchor: "n", type: "integer" } } }],
    [{ $id: "https://example.org/one", $ref: "#/$defs/n", $defs: { n: { type: "integer" } } }],
  ])("%j leads to the schema it names", (schema) => {
    expect(refusedKeywords(schema, 1)).toEqual([[], []])
    expect(refusedKeywords(schema, "x")).toEqual([["type"], ["type"]])
  })

  it("may refer to the enclosing schema, for nested values", () => {
    const tree = { type: "object", additionalProperties: { $ref: "#" } }
    expect(refusedKeywords(tree, { a: { b: {} } })).toEqual([[], []])
    expect(refusedKeywords(tree, { a: { b: 1 } })).toEqual([["type"], ["type"]])
  })

  it.each([
    [{ $ref: "#/$defs/gone" }, "reference"],
    [{ $ref: "#gone" }, "reference"],
    [{ $ref: "https://example.org/other.json" }, "reference"],
    [{ $ref: "#/constructor" }, "reference"],
    [{ $ref: "#" }, "loop"],
    [{ anyOf: [{ $ref: "#/$defs/a" }], $defs: { a: { not: { $ref: "#/$defs/a" } } } }, "loop"],
  ])("%j is a problem with a place", (schema, kind) => {
    expect(schemaProblems(schema).map((problem) => problem.kind)).toEqual([kind])
    expect(rejectionOf(schema)).toBeInstanceOf(SchemaRejected)
    expect(rejectionOf(schema)?.problems[0]?.path).not.toEqual([])
  })
})

describe("a malformed keyword value", () => {
  it.each([
    [{ type: "text" }, "type", ["type"]],
    [{ type: [] }, "type", ["type"]],
    [{ properties: { a: { minLength: "1" } } }, "form", ["properties", "a", "minLength"]],
    [{ minItems: -1 }, "form", ["minItems"]],
    [{ multipleOf: 0 }, "form", ["multipleOf"]],
    [{ required: true }, "form", ["required"]],
    [{ enum: "a" }, "form", ["enum"]],
    [{ allOf: {} }, "form", ["allOf"]],
    [{ items: "string" }, "schema", ["items"]],
    [{ properties: { a: 1 } }, "schema", ["properties", "a"]],
    [{ dependencies: { a: 1 } }, "form", ["dependencies", "a"]],
    [[], "schema", []],
    [null, "schema", []],
  ])("%j is a problem with its place", (schema, kind, path) => {
    expect(schemaProblems(schema)).toMatchObject([{ kind, path }])
  })

  it("is reported at any depth, and too deep a schema is rejected without a stack overflow", () => {
    let schema: JsonSchema = { type: "string" }
    for (let depth = 0; depth < 20_000; depth++) schema = { items: schema }
    expect(schemaProblems(schema).map(({ kind }) => kind)).toEqual(["depth"])
    expect(() => validatorOf(schema)([])).toThrow(SchemaRejected)
  })
})

describe("a keyword that closures do not support", () => {
  it("is validated by Ajv", () => {
    const schema = { properties: { a: true }, unevaluatedProperties: false }
    expect(lightValidator(schema)).toBeUndefined()
    expect(validatorOf(schema)({ a: 1 })).toEqual([])
    expect(validatorOf(schema)({ b: 1 })).toHaveLength(1)
  })
})

describe("an issue", () => {
  it("has the path, a message without subject, and the keyword", () => {
    const validate = validatorOf({
      type: "object",
      properties: { list: { type: "array", items: { type: "integer", minimum: 1 } } },
      required: ["list", "name"],
      additionalProperties: false,
    })
    expect(validate({ list: [1, 0, "x"], nmae: "y" })).toEqual([
      { path: "/list/1", message: "must be >= 1", keyword: "minimum" },
      { path: "/list/2", message: "must be integer", keyword: "type" },
      {
        path: "",
        message: 'has an unknown key "nmae"',
        keyword: "additionalProperties",
        property: "nmae",
      },
      { path: "", message: 'lacks the key "name"', keyword: "required", property: "name" },
    ])
  })
})
