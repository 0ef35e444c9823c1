/** Schemas of the inputs and outputs of the workflows that stages run. */
import type { Definition } from "../definition/Definition.ts"
import { inputSchema } from "../definition/inputSchema.ts"
import { outputsSchema } from "../definition/outputsSchema.ts"

export const schemasByPath = (
  workflows: ReadonlyMap<string, { readonly definition: Definition }>,
) =>
  new Map(
    [...workflows].map(([path, { definition }]) => [
      path,
      { inputs: inputSchema(definition), outputs: outputsSchema(definition) },
    ]),
  )
