import { assert, describe, it } from "vitest"
import { toGoogleSchema } from "./toGoogleSchema.ts"

describe("toGoogleSchema", () => {
  it("keeps documented keywords and describes the others", () => {
    assert.deepStrictEqual(
      toGoogleSchema({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        required: ["code"],
        additionalProperties: false,
        patternProperties: { "^x": { type: "string" } },
        properties: {
          code: { type: "string", description: "A code.", pattern: "^[A-Z]+$", default: "A" },
          kind: { const: "plan" },
          any: true,
          day: { type: "string", format: "date" },
          mail: { type: "string", format: "email" },
          flag: { enum: [true, null] },
        },
      }),
      {
        type: "object",
        required: ["code"],
        additionalProperties: false,
        description: 'Constraints: patternProperties: {"^x":{"type":"string"}}',
        properties: {
          code: { type: "string", description: 'A code. Constraints: pattern: "^[A-Z]+$"' },
          kind: { enum: ["plan"] },
          any: {},
          day: { type: "string", format: "date" },
          mail: { type: "string", description: 'Constraints: format: "email"' },
          flag: { description: "Constraints: enum: [true,null]" },
        },
      },
    )
  })

  it("reduces nested schemas and leaves references alone", () => {
    assert.deepStrictEqual(
      toGoogleSchema({
        definitions: { one: { type: "string", minLength: 1 } },
        anyOf: [
          { $ref: "#/definitions/one", description: "x" },
          { type: "array", items: { not: {} } },
        ],
      }),
      {
        $defs: { one: { type: "string", description: "Constraints: minLength: 1" } },
        anyOf: [
          { $ref: "#/$defs/one" },
          { type: "array", items: { description: "Constraints: not: {}" } },
        ],
      },
    )
  })
})
