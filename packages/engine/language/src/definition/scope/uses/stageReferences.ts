/** Names in the literal `with` of stages that refer to something else, as their kinds declare. */
import type { Reference } from "@planloom/plugin/effect"
import { literalEntries } from "@planloom/expression"
import type { Fallback, Stage } from "../../Definition.ts"
import type { Problem } from "../../Problem.ts"
import type { Resources } from "../../Resources.ts"
import type { StageTree } from "../StageTree.ts"
import { pluginCodeFailed } from "../../pluginCodeFailed.ts"

export interface StageReferences {
  /** In reading order; `at` is the path in the document. */
  readonly references: ReadonlyArray<Reference>
  /** Kinds whose code failed. */
  readonly failures: ReadonlyArray<Problem>
}

export const stageReferences = (
  tree: StageTree,
  { components }: Pick<Resources, "components">,
): StageReferences => {
  const references: Array<Reference> = []
  const failures: Array<Problem> = []
  const read = (work: Pick<Stage, "uses" | "with"> | Fallback, path: Problem["path"]): void => {
    const at = [...path, "with"]
    const kind = components.stages.get(work.uses ?? "")
    try {
      const named = kind?.refers?.(literalEntries(work.with), work.with) ?? []
      references.push(
        ...named
          .filter(({ id }) => typeof id === "string" && id !== "")
          .map((reference) => ({ ...reference, at: [...at, ...reference.at] })),
      )
    } catch (error) {
      failures.push({
        code: "PL4001",
        message: pluginCodeFailed(`stage kind "${work.uses}"`, error),
        path: at,
      })
    }
  }
  for (const { path, stage } of tree.all) {
    read(stage, path)
    if (stage.fallback) read(stage.fallback, [...path, "fallback"])
  }
  return { references, failures }
}
