/** Compares a fork with its run: a reused stage must not depend on what has changed. */
import { isDeepStrictEqual } from "node:util"
import type { JsonObject, RecordedRun } from "@planloom/plugin/effect"
import type { LoadedWorkflow } from "@planloom/core"
import { changedInputReadBy, stageChanges, type StagePart } from "./changes.ts"

/** A reused stage whose parts, or an input that it reads, have changed. */
export type ForkConflict =
  | { readonly stage: string; readonly parts: ReadonlyArray<StagePart> }
  | { readonly stage: string; readonly input: string }

/**
 * Returns the first conflict. `before` are the inputs of the run that `forked` comes from, `changedPersonal` the personal inputs
 * whose value is not that of this run.
 */
export const forkConflict = (
  old: LoadedWorkflow,
  loaded: LoadedWorkflow,
  before: JsonObject,
  forked: RecordedRun,
  changedPersonal: ReadonlyArray<string>,
): ForkConflict | undefined => {
  const kept = new Set(
    forked.events.flatMap((event) => (event.type === "StageStarted" ? [event.stage] : [])),
  )
  const changed = stageChanges(old, loaded).find(
    ({ invalidates, stage }) => invalidates && kept.has(stage),
  )
  if (changed !== undefined) return { stage: changed.stage, parts: changed.parts }
  const inputs = forked.inputs as JsonObject
  const names = Object.keys(inputs).filter((name) => !isDeepStrictEqual(inputs[name], before[name]))
  return changedInputReadBy(loaded, kept, new Set([...names, ...changedPersonal]))
}
