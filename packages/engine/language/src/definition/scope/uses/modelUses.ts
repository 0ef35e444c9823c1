/** Every place of a workflow that names models. */
import type { Definition, DocumentPath, ModelAlias } from "../../Definition.ts"
import type { StageTree } from "../StageTree.ts"

export interface ModelUse {
  readonly name: string
  readonly path: DocumentPath
  /** In the list of an alias, which may name aliases that list models, and no others. */
  readonly listed: boolean
}

export const modelUses = (definition: Definition, tree: StageTree): ReadonlyArray<ModelUse> => {
  const uses: Array<ModelUse> = []
  const add = (name: string | undefined, path: DocumentPath, listed = false): void => {
    if (name !== undefined) uses.push({ name, path, listed })
  }
  add(definition.defaults.model, ["defaults", "model"])
  add(definition.session?.compact?.model, ["session", "compact", "model"])
  for (const [alias, model] of Object.entries(definition.models)) {
    writtenNames(model).forEach((name, index) => add(name, ["models", alias, "try", index], true))
  }
  for (const { path, stage } of tree.all) {
    add(stage.model, [...path, "model"])
    add(stage.fallback?.model, [...path, "fallback", "model"])
  }
  return uses
}

/** Whether an alias names no other alias. */
export const listsModels = (alias: Pick<ModelAlias, "names" | "try">): boolean =>
  writtenNames(alias).every((name) => name.includes("/"))

const writtenNames = ({ names, try: models }: Pick<ModelAlias, "names" | "try">) => names ?? models
