/** Closures and Ajv give the same verdict for a schema, in both dialects. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { withAjv } from "../src/ajv.ts"
import { anySchema, anyValue } from "./arbitraries.ts"
import { lightValidator } from "../src/lightValidator.ts"
import type { Json, SchemaObject } from "../src/Schema.ts"
import { cases } from "../../../../.config/cases.ts"

describe.each([
  ["2020-12", false],
  ["draft-07", true],
] as const)("a schema of %s", (_, older) => {
  it("agrees with Ajv on random schemas and values", () => {
    let refused = 0
    let accepted = 0
    fc.assert(
      fc.property(
        anySchema(older),
        fc.array(anyValue, { minLength: 1, maxLength: 8 }),
        (schema, values) => {
          const light = lightValidator(schema)
          const ajv = withAjv(schema as SchemaObject)
          expect(light).toBeDefined()
          for (const value of values) {
            const fits = light!(value).length === 0
            if (fits) accepted++
            else refused++
            expect([fits, schema, value]).toEqual([ajv(value).length === 0, schema, value])
          }
        },
      ),
      { numRuns: cases(400) },
    )
    // Both verdicts must be frequent for a meaningful comparison.
    expect(Math.min(refused, accepted)).toBeGreaterThan(400)
  })
})

const prototypeNames = [...Object.getOwnPropertyNames(Object.prototype), "prototype", "length"]

describe.each(prototypeNames)("a property %s", (name) => {
  const named = (inner: object): SchemaObject => ({
    type: "object",
    properties: Object.fromEntries([[name, inner]]),
    required: [name],
    additionalProperties: false,
  })
  const value = (inner: Json): Json => Object.fromEntries([[name, inner]])

  it.each(["light", "ajv"])("is an ordinary key for the %s validator", (which) => {
    const schema = named({ type: "integer" })
    const validate = which === "light" ? lightValidator(schema)! : withAjv(schema)
    expect(validate(value(1))).toEqual([])
    expect(validate(value("x")).map(({ path }) => path)).toEqual([`/${name}`])
    expect(validate({}).map(({ message }) => message)).toEqual([`lacks the key "${name}"`])
  })
})
