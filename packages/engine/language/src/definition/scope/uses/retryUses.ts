/** Every place of a workflow that names retry policies. */
import type { Definition, DocumentPath, RetryReference } from "../../Definition.ts"
import type { StageTree } from "../StageTree.ts"

export interface NamedAt {
  readonly name: string
  readonly path: DocumentPath
}

export const retryUses = (definition: Definition, tree: StageTree): ReadonlyArray<NamedAt> => {
  const uses: Array<NamedAt> = []
  addNamed(uses, definition.defaults.retry, ["defaults"])
  for (const { path, stage } of tree.all) addNamed(uses, stage.retry, path)
  return uses
}

const addNamed = (
  uses: Array<NamedAt>,
  references: ReadonlyArray<RetryReference> | undefined,
  path: DocumentPath,
): void => {
  references?.forEach((reference, index) => {
    if (typeof reference === "string" && reference !== "") {
      uses.push({ name: reference, path: [...path, "retry", index] })
    }
  })
}
