import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as fc from "fast-check"
import type { Json, JsonSchema } from "@planloom/plugin"
import { simpleValidator } from "./simpleValidator.ts"
import { loadValidation, needsLibrary, validatorOf } from "./Validator.ts"

const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  validateFormats: false,
  ownProperties: true,
})

const key = fc.constantFrom("a", "b", "c", "constructor", "a/b")
const small = fc.integer({ min: 0, max: 3 })

const anySchema = fc.letrec<{ readonly schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.boolean(),
    fc
      .subarray(["string", "number", "integer", "boolean", "null", "array", "object"], {
        minLength: 1,
      })
      .map((type) => ({ type: type.length === 1 ? type[0] : type })),
    fc.record({ minimum: small, exclusiveMaximum: small }, { requiredKeys: [] }),
    fc.record({ minLength: small, maxLength: small }, { requiredKeys: [] }),
    fc
      .array(fc.oneof(fc.string({ maxLength: 2 }), small, fc.boolean(), fc.constant(null)), {
        minLength: 1,
        maxLength: 3,
      })
      .map((values) => ({ enum: [...new Set(values)] })),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(key, tie("schema"), { maxKeys: 3 }),
        required: fc.uniqueArray(key, { maxLength: 2 }),
        additionalProperties: tie("schema"),
      },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      { items: tie("schema"), minItems: small, maxItems: small },
      { requiredKeys: ["items"] },
    ),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  ),
})).schema

const anyValue = fc.letrec<{ readonly value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, 1, 2.5, -1, "", "a", "😀", "😀😀", "long text"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
})).value

describe("validation", () => {
  it("by hand accepts exactly what the library accepts", () => {
    let refused = 0
    fc.assert(
      fc.property(anySchema, anyValue, (schema, value) => {
        const checker = simpleValidator(schema)
        assert.isDefined(checker)
        const issues: Array<{ readonly path: string; readonly message: string }> = []
        checker!(value, "", issues)
        if (issues.length > 0) refused++
        assert.strictEqual(issues.length === 0, ajv.validate(schema, value))
      }),
      { numRuns: 3000 },
    )
    assert.isAbove(refused, 300)
  })

  it("says what does not fit, and where", () => {
    const validate = validatorOf({
      type: "object",
      properties: { list: { type: "array", items: { type: "integer", minimum: 1 } } },
      required: ["list", "name"],
      additionalProperties: false,
    })
    assert.deepStrictEqual(validate({ list: [1, 0, "x"], nmae: "y" }), [
      { path: "/list/1", message: "must be >= 1" },
      { path: "/list/2", message: "must be integer" },
      { path: "", message: 'has an unknown key "nmae"' },
      { path: "", message: 'lacks the key "name"' },
    ])
  })

  it("asks the library for what it does not know itself", async () => {
    const schema: JsonSchema = { type: "string", pattern: "^a+$" }
    assert.isTrue(needsLibrary(schema))
    await loadValidation([schema])
    assert.deepStrictEqual(validatorOf(schema)("aaa"), [])
    assert.deepStrictEqual(validatorOf(schema)("b"), [
      { path: "", message: 'must match pattern "^a+$"' },
    ])
  })
})
