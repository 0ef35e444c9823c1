/** Moves a recorded run to a newer version of its workflow. */
import type { Json, RecordedRun, RunStore, StoreFailed } from "@planloom/plugin/effect"
import type { LoadedWorkflow } from "@planloom/core"
import { runOutcome } from "@planloom/core/internal"
import type { Effect } from "effect/Effect"
import { isEngines, segmentOf, segmentsOf } from "@planloom/plugin/segments"
import { outdated, stageChanges, type StageChange } from "./changes.ts"
import type { Reset } from "./Reset.ts"

export interface Migration {
  readonly changes: ReadonlyArray<StageChange>
  /** Number of steps that stay valid. */
  readonly valid: number
  /** Names of steps that run again. */
  readonly again: ReadonlyArray<string>
  /** Names of steps of removed stages. */
  readonly orphaned: ReadonlyArray<string>
  /** Undefined when the whole record stays valid. */
  readonly reset: Reset | undefined
}

/** Computes what becomes of the recorded steps. Changes nothing. */
export const planMigration = (
  before: LoadedWorkflow,
  after: LoadedWorkflow,
  recorded: RecordedRun,
): Migration => {
  const changes = stageChanges(before, after)
  // The outcome of the run itself is not a step that runs again.
  const names = recorded.steps.map(({ name }) => name).filter((name) => name !== runOutcome)
  const reset = outdated(before, { steps: names, events: recorded.events }, changes)
  const removed = new Set(
    changes.flatMap(({ change, stage }) => (change === "removed" ? [stage] : [])),
  )
  const gone = names.filter((name) => reset?.drops(name) === true)
  return {
    changes,
    valid: names.length - gone.length,
    again: gone.filter((name) => !removed.has(stageIn(name))),
    orphaned: gone.filter((name) => removed.has(stageIn(name))),
    reset,
  }
}

/** Records the migration. `definition` is what the run resumes with. */
export const migrate = (
  store: RunStore,
  run: string,
  { reset }: Pick<Migration, "reset">,
  definition: Json,
): Effect<void, StoreFailed> =>
  store.reset(run, {
    drops: reset?.drops ?? (() => false),
    definition,
    event: { type: "RunMigrated", again: reset?.again ?? [], since: reset?.since ?? 0 },
  })

/** Returns the innermost stage in a step's name: `results` of `work[2]/results/tool:a#1`. */
const stageIn = (name: string): string =>
  segmentsOf(name)
    .map((part) => segmentOf(part).id)
    .findLast((id) => !isEngines(id)) ?? name
