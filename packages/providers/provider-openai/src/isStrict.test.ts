import { assert, describe, it } from "vitest"
import { isStrict } from "./isStrict.ts"

const of = (n: object, more: object = {}) => ({
  type: "object",
  additionalProperties: false,
  required: ["n"],
  properties: { n },
  ...more,
})

describe("isStrict", () => {
  it.each([
    ["a closed object", of({ type: "integer", minimum: 0 })],
    ["a nested choice", of({ anyOf: [{ type: "string", format: "date" }, { type: "null" }] })],
    ["a reference", of({ $ref: "#/$defs/one" }, { $defs: { one: { type: "string" } } })],
  ])("accepts %s", (_, schema) => {
    assert.isTrue(isStrict(schema))
  })

  it.each([
    ["a choice at the root", { anyOf: [of({ type: "integer" })] }],
    ["a list at the root", { type: "array", items: { type: "integer" } }],
    ["an optional property", of({ type: "integer" }, { required: [] })],
    ["an open object", of({ type: "object" })],
    ["a property without a type", of({ description: "any value" })],
    ["an unknown keyword", of({ type: "string", minLength: 3 })],
    ["an unknown format", of({ type: "string", format: "uri" })],
    ["a pattern with a lookahead", of({ type: "string", pattern: "^(?!a)" })],
  ])("rejects %s", (_, schema) => {
    assert.isFalse(isStrict(schema))
  })
})
