import { assert, describe, it } from "@effect/vitest"
import type { Json } from "@planloom/plugin/effect"
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
      ["PL4005 b.txt", "PL4006 b"],
    )
  })
})
