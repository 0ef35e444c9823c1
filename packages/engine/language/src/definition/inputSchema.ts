/** The workflow's inputs as one object schema; an input without a default is required. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { nestedSchema } from "@planloom/schema"
import type { Definition } from "./Definition.ts"

export const inputSchema = (definition: Definition): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(definition.inputs).map(([name, schema]) => [
      name,
      nestedSchema(schema, `/properties/${name}`),
    ]),
  ),
  required: Object.entries(definition.inputs).flatMap(([name, schema]) =>
    typeof schema === "object" && "default" in schema ? [] : [name],
  ),
  additionalProperties: false,
})
