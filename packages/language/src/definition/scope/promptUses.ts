/** Every place of a workflow that names prompts. */
import type { DocumentPath, PromptUse } from "../Definition.ts"
import type { StageTree } from "./StageTree.ts"

export const promptUses = (
  tree: StageTree,
): ReadonlyArray<{ readonly prompt: PromptUse; readonly path: DocumentPath }> =>
  tree.all.flatMap(({ path, stage }) => [
    ...(stage.prompt ? [{ prompt: stage.prompt, path: [...path, "prompt"] }] : []),
    ...(stage.fallback?.prompt
      ? [{ prompt: stage.fallback.prompt, path: [...path, "fallback", "prompt"] }]
      : []),
  ])
