/** Compares two runs of the edit loop stage by stage. */
import { isDeepStrictEqual } from "node:util"
import type { EditRun } from "./runEdit.ts"
import type { HookEdit, PromptEdit, StageEdit } from "./StageEdit.ts"

/** What became of a stage: its calls were made, all were answered from memory, or it makes none. */
export type StageWork = "ran" | "replayed" | "computed" | "skipped"

/** A part of a prompt before and after an edit. */
export interface PartChange {
  readonly call: string
  readonly part: string
  readonly source: string | undefined
  readonly before: string
  readonly after: string
  /** Hooks that have changed this part in the later run, in order. */
  readonly hooks: ReadonlyArray<Pick<HookEdit, "hook" | "point">>
}

export interface StageComparison {
  readonly now: StageEdit
  /** Undefined for a stage that the earlier run did not reach. */
  readonly before: StageEdit | undefined
  readonly work: StageWork
  readonly hasNewOutput: boolean
  readonly parts: ReadonlyArray<PartChange>
}

export const compareRuns = (
  before: Pick<EditRun, "stages"> | undefined,
  now: Pick<EditRun, "stages">,
): ReadonlyArray<StageComparison> => {
  const earlier = new Map(before?.stages.map((stage) => [stage.path, stage]))
  return now.stages.map((stage) => {
    const old = earlier.get(stage.path)
    return {
      now: stage,
      before: old,
      work: workOf(stage),
      hasNewOutput: old !== undefined && !isDeepStrictEqual(old.output, stage.output),
      parts: old === undefined ? [] : partChanges(old, stage),
    }
  })
}

const workOf = ({ answered, live, outcome }: StageEdit): StageWork => {
  if (outcome === "skipped") return "skipped"
  if (live > 0) return "ran"
  return answered > 0 ? "replayed" : "computed"
}

const partChanges = (before: StageEdit, now: StageEdit): ReadonlyArray<PartChange> => {
  const earlier = new Map(before.prompts.map((prompt) => [prompt.call, prompt]))
  return now.prompts.flatMap((prompt) => {
    const old = earlier.get(prompt.call)
    return old === undefined ? [] : promptChanges(old, prompt, now.hooks)
  })
}

const promptChanges = (
  before: PromptEdit,
  { call, model, parts }: PromptEdit,
  hooks: ReadonlyArray<HookEdit>,
): ReadonlyArray<PartChange> => {
  const old = new Map(before.parts.map((part) => [part.name, part]))
  const now = new Map(parts.map((part) => [part.name, part]))
  const names = [...new Set([...now.keys(), ...old.keys()])]
  return [
    ...(before.model === model
      ? []
      : [
          { call, part: "model", source: undefined, before: before.model, after: model, hooks: [] },
        ]),
    ...names.flatMap((name) => {
      const [from = "", to = ""] = [old.get(name)?.text, now.get(name)?.text]
      const source = now.get(name)?.source ?? old.get(name)?.source
      return from === to
        ? []
        : [{ call, part: name, source, before: from, after: to, hooks: hooksOf(name, hooks) }]
    }),
  ]
}

const hooksOf = (part: string, hooks: ReadonlyArray<HookEdit>): PartChange["hooks"] => {
  const [kind, id] = part.split(" ")
  return hooks.flatMap(({ changed, hook, of, point }) => {
    const touches =
      kind === "section"
        ? of === id || changed.includes("sections") || changed.includes("system")
        : kind === "message"
          ? changed.includes("messages")
          : kind === "tools" && changed.includes("offers")
    return touches ? [{ hook, point }] : []
  })
}
