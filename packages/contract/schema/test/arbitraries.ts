/** Random schemas and values that often match: few keys, small numbers, texts that the patterns and formats match. */
import * as fc from "fast-check"
import type { Json, JsonSchema } from "../src/Schema.ts"

const key = fc.constantFrom("a", "b", "c", "constructor", "__proto__", "toString", "a/b", "a~b")
const small = fc.integer({ min: 0, max: 3 })
const scalar = fc.constantFrom<Json>(
  null,
  true,
  false,
  0,
  1,
  2.5,
  -1,
  "",
  "a",
  "ab",
  "😀",
  "😀😀",
  "2024-02-29",
  "2023-02-29",
  "2024-02-29T10:00:00Z",
  "x@example.org",
  "http://example.org/a",
)

export const anyValue = fc.letrec<{ readonly value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

export interface Drawn {
  readonly schema: JsonSchema
}

const types = ["string", "number", "integer", "boolean", "null", "array", "object"]
const pattern = fc.constantFrom("^a", "^(a+)+$", "b", "^$", "[^a]", "^__", "^.{1,2}$", "\\d")
const partial = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] })

/** Schemas of 2020-12, or, `older`, of draft-07. */
export const anySchema = (older: boolean): fc.Arbitrary<JsonSchema> =>
  fc
    .letrec<Drawn>((tie) => {
      const inner = tie("schema")
      const list = fc.array(inner, { minLength: 1, maxLength: 2 })
      const map = fc.dictionary(key, inner, { maxKeys: 3, noNullPrototype: true })
      const tuple = older
        ? partial({ items: list, additionalItems: inner })
        : partial({ prefixItems: list, items: inner })
      const dependent: fc.Arbitrary<JsonSchema> = older
        ? partial({
            // Ajv ignores a dependency of `__proto__`.
            dependencies: fc.dictionary(
              key.filter((name) => name !== "__proto__"),
              fc.oneof(inner, fc.uniqueArray(key, { maxLength: 2 })),
              {
                maxKeys: 2,
                noNullPrototype: true,
              },
            ),
          })
        : partial({
            dependentSchemas: map,
            dependentRequired: fc.dictionary(key, fc.uniqueArray(key, { maxLength: 2 }), {
              maxKeys: 2,
              noNullPrototype: true,
            }),
          })
      return {
        schema: fc.oneof(
          { depthSize: "small", withCrossShrink: true },
          fc.boolean(),
          fc
            .subarray(types, { minLength: 1 })
            .map((type) => ({ type: type.length === 1 ? type[0] : type })),
          partial({
            minimum: small,
            exclusiveMaximum: small,
            multipleOf: fc.constantFrom(1, 2, 0.5),
          }),
          partial({ minLength: small, maxLength: small, pattern }),
          fc
            .constantFrom("date", "date-time", "email", "uri", "duration", "unheard-of")
            .map((format) => ({ format })),
          fc.array(anyValue, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
          anyValue.map((value) => ({ const: value })),
          fc.record(
            {
              type: fc.constant("object"),
              properties: map,
              patternProperties: fc.dictionary(pattern, inner, {
                maxKeys: 2,
                noNullPrototype: true,
              }),
              required: fc.uniqueArray(key, { maxLength: 2 }),
              additionalProperties: inner,
              propertyNames: inner,
              minProperties: small,
              maxProperties: small,
            },
            { requiredKeys: ["type"] },
          ),
          dependent,
          tuple,
          partial({
            items: inner,
            minItems: small,
            maxItems: small,
            uniqueItems: fc.boolean(),
            contains: inner,
          }),
          list.map((anyOf) => ({ anyOf })),
          list.map((oneOf) => ({ oneOf })),
          list.map((allOf) => ({ allOf })),
          inner.map((not) => ({ not })),
          // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
          partial({ if: inner, then: inner, else: inner }),
          fc.constantFrom({ $ref: "#/$defs/first" }, { $ref: "#/definitions/second%20one" }),
        ),
      }
    })
    .schema.chain((schema) =>
      fc
        .record({ first: fc.constantFrom<JsonSchema>(true, { type: "string" }, { minItems: 1 }) })
        .map(({ first }) => ({
          ...(older ? { $schema: "http://json-schema.org/draft-07/schema#" } : {}),
          allOf: [schema],
          $defs: { first },
          // Refers to itself, for nested values.
          definitions: {
            "second one": {
              type: ["object", "string"],
              additionalProperties: { $ref: "#/definitions/second%20one" },
            },
          },
        })),
    )
