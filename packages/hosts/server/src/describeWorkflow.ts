/** A served workflow as clients see it: what it takes, and what it gives. */
import { escapeStep, nestedSchema, type JsonSchema } from "@planloom/schema"
import type { ServedWorkflow } from "./Api.ts"

export const describeWorkflow = ({ pipeline }: ServedWorkflow) => {
  const { definition, inputs, name, outputs, session, user } = pipeline
  return {
    name,
    ...(definition.description === undefined ? {} : { description: definition.description }),
    inputs: inputs.schema,
    outputs: outputsSchema(outputs),
    ...(session === undefined ? {} : { session: true }),
    ...(user === undefined ? {} : { user: user.schema }),
  }
}

/** Of a run that waits, only the outputs that have left are there. */
const outputsSchema = (outputs: ServedWorkflow["pipeline"]["outputs"]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(
    outputs.map(({ name, schema }) => [
      name,
      nestedSchema(schema, `/properties/${escapeStep(name)}`),
    ]),
  ),
})
