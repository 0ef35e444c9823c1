/** Every place of a workflow that names models. */
import type { Definition, DocumentPath } from "../Definition.ts"
import type { StageTree } from "./StageTree.ts"

export interface ModelUse {
  readonly name: string
  readonly path: DocumentPath
  /** Only `provider/model` will do: the list of an alias names no other alias. */
  readonly direct: boolean
}

export const modelUses = (definition: Definition, tree: StageTree): ReadonlyArray<ModelUse> => {
  const uses: Array<ModelUse> = []
  const add = (name: string | undefined, path: DocumentPath, direct = false): void => {
    if (name !== undefined) uses.push({ name, path, direct })
  }
  add(definition.defaults.model, ["defaults", "model"])
  add(definition.session?.compact?.model, ["session", "compact", "model"])
  for (const [alias, { try: choices }] of Object.entries(definition.models)) {
    choices.forEach((choice, index) => add(choice, ["models", alias, "try", index], true))
  }
  for (const { path, stage } of tree.all) {
    add(stage.model, [...path, "model"])
    add(stage.fallback?.model, [...path, "fallback", "model"])
  }
  return uses
}
