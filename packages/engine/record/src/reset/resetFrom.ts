/** Resets a run to a stage, or forks a new run that reuses everything before that stage. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import {
  isVoid,
  type Json,
  type JsonObject,
  type PersonalDigests,
  type RecordedRun,
  type RunEvent,
  type RunStore,
  type StoreFailed,
} from "@planloom/plugin/effect"
import type { Pipeline } from "@planloom/core"
import { effectiveEvents, isEnd } from "@planloom/core/internal"
import { startSeqs, resetTo, resetFinally, type Reset } from "./Reset.ts"

/** The run has no such stage occurrence; `known` lists its paths, in the order they started. */
export class StageUnknown extends Data.TaggedError("StageUnknown")<{
  readonly message: string
  readonly from: string
  readonly known: ReadonlyArray<string>
}> {}

/** Path of the stage that made a run fail; undefined when no stage did. */
export const failedStage = (events: ReadonlyArray<RunEvent>): string | undefined => {
  const last = events.findLast(isEnd)
  return last?.type === "RunFailed" ? last.failure.stage : undefined
}

/**
 * Resets the run to a stage, so that `resume` runs it again, and returns the stage's path. `from` defaults to
 * the stage that failed. Fails with `busy` while a process owns the run.
 */
export const resetFrom = Effect.fnUntraced(function* (
  store: RunStore,
  pipeline: Pipeline,
  id: string,
  from?: string,
): Effect.fn.Return<string | undefined, StageUnknown | StoreFailed> {
  const events = yield* store.events(id)
  const steps = (yield* store.steps(id)).map(({ name }) => name)
  const stage = from ?? failedStage(events)
  const { again, drops, since } =
    stage === undefined
      ? resetFinally(pipeline, { events, steps })
      : yield* resetOrFail(pipeline, { events, steps }, stage)
  yield* store.reset(id, {
    drops,
    event: { type: "RunReset", from: stage ?? "", again, since },
  })
  return stage
})

const resetOrFail = (
  pipeline: Pipeline,
  recorded: { readonly steps: ReadonlyArray<string>; readonly events: ReadonlyArray<RunEvent> },
  from: string,
): Effect.Effect<Reset, StageUnknown> => {
  const found = resetTo(pipeline, recorded, from)
  if (found !== undefined) return Effect.succeed(found)
  const known = [...startSeqs(recorded.events).keys()]
  return Effect.fail(new StageUnknown({ from, known, message: `the run has no stage "${from}"` }))
}

export interface Fork {
  /** Id of the new run. */
  readonly run: string
  readonly from: string
  readonly inputs: JsonObject
  /** Of its personal inputs, of which `inputs` holds placeholders. */
  readonly personalDigests?: PersonalDigests | undefined
  readonly definition?: Json
  /** Start time, in epoch milliseconds. */
  readonly at: number
}

/**
 * Builds the record of a new run that equals the recorded one up to a stage, to be written to a store and
 * resumed. `pipeline` is the recorded run's own.
 */
export const forkOf = (
  pipeline: Pipeline,
  recorded: RecordedRun,
  { at, definition, from, inputs, personalDigests, run }: Fork,
): Effect.Effect<RecordedRun, StageUnknown> => {
  const steps = recorded.steps.map(({ name }) => name)
  return Effect.map(resetOrFail(pipeline, { events: recorded.events, steps }, from), (reset) => {
    const kept = (name: string) => !reset.drops(name)
    return {
      run,
      workflow: recorded.workflow,
      status: "running",
      inputs,
      startedAt: at,
      ...(definition === undefined ? {} : { definition }),
      ...(personalDigests === undefined ? {} : { personalDigests }),
      ...(recorded.userDigest === undefined ? {} : { userDigest: recorded.userDigest }),
      steps: recorded.steps.filter(({ name }) => kept(name)),
      timers: Object.fromEntries(Object.entries(recorded.timers).filter(([name]) => kept(name))),
      waits: recorded.waits.filter(({ wait }) => kept(wait.name)),
      events: forkedEvents(recorded, reset, { at, from, inputs, run }),
    }
  })
}

/** Renumbers the events that stay valid, without the start and end events of the other run. */
const forkedEvents = (
  { events, run: of }: RecordedRun,
  reset: Reset,
  { at, from, inputs, run }: Fork,
): ReadonlyArray<RunEvent> => {
  const kept = effectiveEvents(events).filter((event) =>
    "path" in event ? !isVoid(event, reset) : event.type === "RunStarted",
  )
  const all: ReadonlyArray<RunEvent> = [
    ...kept.map((event) => (event.type === "RunStarted" ? { ...event, run, inputs } : event)),
    { type: "RunForked", of, from, seq: 0, at },
  ]
  return all.map((event, seq) => ({ ...event, seq }))
}
