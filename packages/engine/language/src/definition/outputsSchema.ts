/** The outputs of a workflow as the schema of one object. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { nestedSchema } from "@planloom/schema"
import type { Definition } from "./Definition.ts"

export const outputsSchema = ({ outputs }: Pick<Definition, "outputs">): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(outputs).map(([name, { schema }]) => [
      name,
      nestedSchema(schema, `/properties/${name}`),
    ]),
  ),
  required: Object.keys(outputs),
  additionalProperties: false,
})
