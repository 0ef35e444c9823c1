/** The same run again from a stage on, or a new run that takes over what came before it. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import {
  isVoid,
  type Json,
  type JsonObject,
  type RecordedRun,
  type RunEvent,
  type RunStore,
  type StoreFailed,
} from "@planloom/plugin"
import type { Pipeline } from "@planloom/core"
import { standing, isEnd } from "@planloom/core/internal"
import { beginnings, goBack, goOn, type Retraction } from "./Retraction.ts"

/** The run has no such stage occurrence; `known` are the paths it has, in the order they began. */
export class StageUnknown extends Data.TaggedError("StageUnknown")<{
  readonly message: string
  readonly from: string
  readonly known: ReadonlyArray<string>
}> {}

/** Path of the stage a run has failed in; undefined when no stage has. */
export const failedStage = (events: ReadonlyArray<RunEvent>): string | undefined => {
  const last = events.findLast(isEnd)
  return last?.type === "RunFailed" ? last.failure.stage : undefined
}

/**
 * Takes back what the run did from the stage on, so that `resume` does it again; gives the path. Without
 * `from`, from the stage it has failed in. Fails with `busy` while somebody is at work on it.
 */
export const retryFrom = Effect.fnUntraced(function* (
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
      ? goOn(pipeline, { events, steps })
      : yield* retraction(pipeline, { events, steps }, stage)
  yield* store.takeBack(id, {
    drops,
    event: { type: "RunRetried", from: stage ?? "", again, since },
  })
  return stage
})

const retraction = (
  pipeline: Pipeline,
  recorded: { readonly steps: ReadonlyArray<string>; readonly events: ReadonlyArray<RunEvent> },
  from: string,
): Effect.Effect<Retraction, StageUnknown> => {
  const found = goBack(pipeline, recorded, from)
  if (found !== undefined) return Effect.succeed(found)
  const known = [...beginnings(recorded.events).keys()]
  return Effect.fail(
    new StageUnknown({ from, known, message: `the run has done no stage "${from}"` }),
  )
}

export interface Fork {
  /** What the new run is called. */
  readonly run: string
  readonly from: string
  readonly inputs: JsonObject
  readonly definition?: Json
  /** When it begins, in epoch milliseconds. */
  readonly at: number
}

/**
 * What a new run begins with that goes the way of the recorded one up to a stage: to be written to a store
 * and resumed. `pipeline` is the recorded run's own.
 */
export const forkOf = (
  pipeline: Pipeline,
  recorded: RecordedRun,
  { at, definition, from, inputs, run }: Fork,
): Effect.Effect<RecordedRun, StageUnknown> => {
  const steps = recorded.steps.map(({ name }) => name)
  return Effect.map(retraction(pipeline, { events: recorded.events, steps }, from), (back) => {
    const kept = (name: string) => !back.drops(name)
    return {
      run,
      workflow: recorded.workflow,
      status: "running",
      inputs,
      startedAt: at,
      ...(definition === undefined ? {} : { definition }),
      steps: recorded.steps.filter(({ name }) => kept(name)),
      timers: Object.fromEntries(Object.entries(recorded.timers).filter(([name]) => kept(name))),
      waits: recorded.waits.filter(({ wait }) => kept(wait.name)),
      events: forkedEvents(recorded, back, { at, from, inputs, run }),
    }
  })
}

/** Numbered anew, without the ends and beginnings that were the other run's. */
const forkedEvents = (
  { events, run: of }: RecordedRun,
  back: Retraction,
  { at, from, inputs, run }: Fork,
): ReadonlyArray<RunEvent> => {
  const kept = standing(events).filter((event) =>
    "path" in event ? !isVoid(event, back) : event.type === "RunStarted",
  )
  const all: ReadonlyArray<RunEvent> = [
    ...kept.map((event) => (event.type === "RunStarted" ? { ...event, run, inputs } : event)),
    { type: "RunForked", of, from, seq: 0, at },
  ]
  return all.map((event, seq) => ({ ...event, seq }))
}
