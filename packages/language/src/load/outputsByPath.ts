/** Schemas of the outputs of the workflows that stages run. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { nestedSchema } from "@planloom/schema"
import type { Definition } from "../definition/Definition.ts"

export const outputsByPath = (
  workflows: ReadonlyMap<string, { readonly definition: Definition }>,
) =>
  new Map(
    [...workflows].map(([path, { definition }]) => [path, { outputs: outputsSchema(definition) }]),
  )

/** The outputs of a workflow as the schema of one object. */
const outputsSchema = ({ outputs }: Definition): JsonSchema => ({
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
