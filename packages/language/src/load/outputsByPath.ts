/** Schemas of the outputs of the workflows that stages run. */
import type { Definition } from "../definition/Definition.ts"
import { outputsSchema } from "../definition/outputsSchema.ts"

export const outputsByPath = (
  workflows: ReadonlyMap<string, { readonly definition: Definition }>,
) =>
  new Map(
    [...workflows].map(([path, { definition }]) => [path, { outputs: outputsSchema(definition) }]),
  )
