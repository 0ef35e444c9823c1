import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { any, string } from "@planloom/expression/check"
import { durationPattern } from "@planloom/plugin/duration"
import { valueIssues } from "./valueIssues.ts"

const issuesOf = (value: Json, pattern: string) =>
  valueIssues(
    { expires: value },
    {
      schema: { type: "object", properties: { expires: { type: "string", pattern } } },
      name: "it",
      code: "PL4007",
    },
    (given) => (typeof given === "string" ? string : any),
  ).map(({ code, message }) => `${code} ${message}`)

describe("a literal", () => {
  it("must match the pattern of its schema; a well-known pattern is described by its name", () => {
    assert.deepStrictEqual(issuesOf("48h", durationPattern), [])
    assert.deepStrictEqual(issuesOf("soon", durationPattern), [
      'PL4007 "expires" is a duration such as 30s, 5m or 1h30m, found the text "soon"',
    ])
    assert.deepStrictEqual(issuesOf("ab", "^[a-z]$"), [
      'PL4007 "expires" must match ^[a-z]$, found the text "ab"',
    ])
  })

  it("with an unsupported pattern is reported; an expression is checked against no pattern", () => {
    assert.deepStrictEqual(issuesOf("soon", "("), [
      'PL4007 "expires" cannot be checked: the pattern "(" is not supported: missing closing ): `(`',
    ])
    assert.deepStrictEqual(issuesOf("${{ inputs.time }}", durationPattern), [])
  })
})

describe("a list or mapping", () => {
  const issuesWith = (value: Json, schema: JsonSchema) =>
    valueIssues(
      { some: value },
      { schema: { type: "object", properties: { some: schema } }, name: "it", code: "PL4007" },
      (given) => (typeof given === "string" ? string : any),
    ).map(({ message }) => message)

  it("has as many entries as its schema allows, whatever its expressions give", () => {
    const list = { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 } as const
    assert.deepStrictEqual(issuesWith(["${{ inputs.a }}"], list), [])
    assert.deepStrictEqual(issuesWith([], list), ['"some" must have at least 1 entry, found 0'])
    assert.deepStrictEqual(issuesWith(["a", "b", "${{ inputs.c }}"], list), [
      '"some" must have at most 2 entries, found 3',
    ])
  })

  it("has as many keys as its schema allows, with names of its pattern", () => {
    const mapping = {
      type: "object",
      minProperties: 1,
      propertyNames: { pattern: "^[a-z]+$" },
      additionalProperties: { type: "string" },
    } as const
    assert.deepStrictEqual(issuesWith({ a: "${{ inputs.a }}" }, mapping), [])
    assert.deepStrictEqual(issuesWith({}, mapping), ['"some" must have at least 1 key, found 0'])
    assert.deepStrictEqual(issuesWith({ "a b": "x" }, mapping), [
      'a key of "some" must match ^[a-z]+$, found the text "a b"',
    ])
  })
})

describe("a mapping with free keys", () => {
  it("has its entries checked, also for keys that are missing or unknown", () => {
    const entry = {
      type: "object",
      required: ["text"],
      properties: { text: { type: "string" } },
      additionalProperties: false,
    } as const
    const issues = valueIssues(
      { a: { text: "x" }, b: { txt: "x" } },
      { schema: { type: "object", additionalProperties: entry }, name: "it", code: "PL4007" },
      (given) => (typeof given === "string" ? string : any),
    )
    assert.deepStrictEqual(
      issues.map(({ code, path }) => `${code} ${path.join(".")}`),
      ["PL4005 b.txt"],
    )
  })
})
