/** The shape of a JSON Schema as authors write it. */
import { isObject } from "@planloom/schema"
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { wrongType, type DecodeContext, type Shape } from "../Shape.ts"
import { expectedSchema, schemaIssues } from "../schemaIssues.ts"

export const jsonSchema: Shape<JsonSchema> = {
  kind: "jsonSchema",
  expected: expectedSchema,
  decode: (value, context) => {
    checkSchema(value, context)
    return isObject(value) || typeof value === "boolean" ? (value as JsonSchema) : true
  },
  schema: () => ({
    anyOf: [{ type: "boolean" }, { $ref: "http://json-schema.org/draft-07/schema#" }],
  }),
}

/** The shape of a JSON Schema whose values are objects. */
export const objectSchema: Shape<JsonSchema> = {
  kind: "objectSchema",
  expected: "a JSON Schema of an object, such as { type: object, properties: { … } }",
  decode: (value, context) => {
    if (isObject(value) && value["type"] === "object") return jsonSchema.decode(value, context)
    wrongType(
      context,
      objectSchema.expected,
      value,
      isObject(value) ? "write type: object, and the fields under properties" : undefined,
    )
    return { type: "object" }
  },
  schema: () => ({
    $ref: "http://json-schema.org/draft-07/schema#",
    type: "object",
    required: ["type"],
    properties: { type: { const: "object", description: "A user is an object." } },
  }),
}

/** Reports everything that keeps a value from being a JSON Schema. */
export const checkSchema = (
  value: Json,
  context: DecodeContext,
  ownKeys: ReadonlyArray<string> = [],
): void => {
  for (const { path, ...problem } of schemaIssues(value, ownKeys)) {
    let at = context
    for (const step of path) at = at.at(step)
    at.problem(problem)
  }
}
