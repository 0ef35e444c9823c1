/** The shape of a JSON Schema as authors write it. */
import { isObject } from "@planloom/schema"
import type { Json, JsonSchema } from "@planloom/plugin"
import type { DecodeContext, Shape } from "../Shape.ts"
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
