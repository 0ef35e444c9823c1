/** Every place of a workflow that names prompts. */
import type { DocumentPath, PromptUse } from "../../Definition.ts"
import type { Resources } from "../../Resources.ts"
import { stageReferences } from "./stageReferences.ts"
import type { StageTree } from "../StageTree.ts"

export const promptUses = (
  tree: StageTree,
): ReadonlyArray<{ readonly prompt: PromptUse; readonly path: DocumentPath }> =>
  tree.all.flatMap(({ path, stage }) => [
    ...(stage.prompt ? [{ prompt: stage.prompt, path: [...path, "prompt"] }] : []),
    ...(stage.fallback?.prompt
      ? [{ prompt: stage.fallback.prompt, path: [...path, "fallback", "prompt"] }]
      : []),
  ])

/** Prompts that the `with` of a stage names, by the path of that stage or fallback. */
export const promptsNamed = (
  tree: StageTree,
  resources: Pick<Resources, "components">,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const named = new Map<string, Array<string>>()
  for (const { at, id, to } of stageReferences(tree, resources).references) {
    if (to !== "prompt") continue
    const path = at.slice(0, at.indexOf("with")).join("/")
    named.set(path, [...(named.get(path) ?? []), id])
  }
  return named
}
