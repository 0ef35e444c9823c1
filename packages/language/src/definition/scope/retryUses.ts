/** Every place of a workflow that names retry policies. */
import type { Definition, DocumentPath, RetryReference } from "../Definition.ts"
import type { StageTree } from "./StageTree.ts"

export interface NamedAt {
  readonly name: string
  readonly path: DocumentPath
}

export const retryUses = (definition: Definition, tree: StageTree): ReadonlyArray<NamedAt> => {
  const named = (
    references: ReadonlyArray<RetryReference> | undefined,
    path: DocumentPath,
  ): ReadonlyArray<NamedAt> =>
    (references ?? []).flatMap((reference, index) =>
      typeof reference === "string" && reference !== ""
        ? [{ name: reference, path: [...path, index] }]
        : [],
    )
  return [
    ...named(definition.defaults.retry, ["defaults", "retry"]),
    ...tree.all.flatMap(({ path, stage }) => named(stage.retry, [...path, "retry"])),
  ]
}
