/** Replays a recorded run without effects, and compares the result with the recorded one. */
import * as Effect from "effect/Effect"
import { isDeepStrictEqual } from "node:util"
import {
  journalStep,
  type Journal,
  type JsonObject,
  type RecordedRun,
  type RunEvent,
} from "@planloom/plugin/effect"
import { firstOf, outerNames } from "@planloom/plugin/segments"
import type { Pipeline, RunResult, InputsRejected } from "@planloom/core"
import { runOutcome, Personal, isEnd, refusedInputs } from "@planloom/core/internal"
import { resultOf, RunFold, run, Cancellation } from "@planloom/core"
import type { Replayed } from "./Replayed.ts"

export { firstDifference, type Difference } from "./firstDifference.ts"
export type { Replayed }

export interface ReplayOptions {
  /** Receives the events that `run` would emit. */
  readonly onEvent?: (event: RunEvent) => void
  /**
   * Personal inputs, which no record holds; its placeholders stand for those that are not given. The run is replayed with
   * any inputs, but those that differ from the record are listed.
   */
  readonly inputs?: JsonObject
  /** The user of the run, which no record holds. */
  readonly user?: JsonObject | undefined
}

/** Writes nothing and calls no model or tool. */
export const replay = (
  pipeline: Pipeline,
  recorded: RecordedRun,
  { inputs: again, onEvent, user }: ReplayOptions = {},
): Effect.Effect<Replayed, InputsRejected> =>
  Effect.flatMap(differentInputs(recorded, again), (differing) => {
    const inputs = { ...(recorded.inputs as JsonObject), ...again }
    const personal = new Personal(pipeline.definition.inputs, inputs, user ?? {})
    const asked = new Set<string>()
    let missing: string | undefined
    const started = recorded.events.find((event) => event.type === "RunStarted")
    const ends = recorded.events.filter(isEnd).length
    const cancellation = new Cancellation(
      { mode: "now", reason: "the record ends here" },
      {
        endings: Math.max(0, ends - 1),
        held: (name) => {
          missing ??= name
        },
      },
    )
    const fold = new RunFold()
    const session = recorded.session ?? started?.session
    const replaying = run(pipeline, inputs, {
      run: recorded.run,
      ...(user === undefined ? {} : { user }),
      ...(session === undefined ? {} : { session }),
      journal: personal.journal(recordOnly(recorded, asked)),
      cancellation,
      onEvent: (event) => {
        fold.push(event)
        onEvent?.(event)
      },
    })
    return Effect.flatMap(Effect.exit(replaying), (exit) => {
      const rejected = exit._tag === "Failure" ? rejection(exit.cause.reasons) : undefined
      if (rejected !== undefined) return Effect.fail(rejected)
      const result = fold.result()
      const before = resultOf(recorded.events)
      const unused = unusedStep(pipeline, recorded, asked)
      return Effect.succeed({
        result,
        recorded: before,
        same: differing.length === 0 && isSame(result, before, personal),
        differentInputs: differing,
        ...(missing === undefined ? {} : { missing }),
        ...(unused === undefined ? {} : { unused }),
      })
    })
  })

/** Inputs that the run is given or was started with otherwise than its record says. */
const differentInputs = (
  { events, inputs, personalDigests = {} }: RecordedRun,
  again: JsonObject = {},
): Effect.Effect<ReadonlyArray<string>> => {
  const recorded = inputs as JsonObject
  const started = events.find((event) => event.type === "RunStarted")?.inputs ?? recorded
  const otherwise = Object.keys(recorded).filter(
    (name) => !isDeepStrictEqual(recorded[name], started[name]),
  )
  return Effect.map(refusedInputs({ inputs: recorded, personalDigests }, again), (refused) => [
    ...new Set([...otherwise, ...refused.map(({ input }) => input)]),
  ])
}

const rejection = (
  reasons: ReadonlyArray<{ readonly _tag: string; readonly error?: unknown }>,
): InputsRejected | undefined => {
  for (const { error } of reasons) {
    const failure = error as { readonly _tag?: string } | undefined
    if (failure?._tag === "InputsRejected") return failure as InputsRejected
  }
  return undefined
}

const isSame = (now: RunResult, before: RunResult, personal: Personal): boolean =>
  now.status === before.status &&
  isDeepStrictEqual(personal.hide(now.outputs), before.outputs) &&
  now.failure?.class === before.failure?.class

/** Ignores `finally` stages, which are replayed for the last end only, and runs that failed as a whole. */
const unusedStep = (
  { finally: lastly }: Pipeline,
  { steps }: RecordedRun,
  asked: ReadonlySet<string>,
): string | undefined => {
  if (steps.some(({ name }) => name === runOutcome)) return undefined
  const last = new Set(lastly.nodes.map(({ id }) => id))
  return steps.find(({ name }) => !last.has(firstOf(name).id) && !isRequested(name, asked))?.name
}

/** Steps inside a step that is answered from the record are never requested. */
const isRequested = (name: string, asked: ReadonlySet<string>): boolean => {
  if (asked.has(name)) return true
  for (const outer of outerNames(name)) if (asked.has(outer)) return true
  return false
}

/** A journal that answers from the record only; `Cancellation` holds every other step. */
const recordOnly = ({ steps, timers, waits }: RecordedRun, asked: Set<string>): Journal => {
  const byName = new Map(steps.map(({ name, outcome }) => [name, outcome]))
  const answers = new Map(waits.map(({ answer, wait }) => [wait.name, { wait, answer }]))
  const lookup: Journal["lookup"] = (name) =>
    Effect.sync(() => {
      asked.add(name)
      return byName.get(name)
    })
  const record: Journal["record"] = () => Effect.void
  return {
    lookup,
    record,
    step: journalStep({ lookup, record }),
    sleep: (name) => (name in timers ? Effect.void : Effect.never),
    wait: (wait) => {
      const { answer, wait: kept = wait } = answers.get(wait.name) ?? {}
      return Effect.succeed({ wait: kept, ...(answer === undefined ? {} : { answer }) })
    },
    answer: (_, answer) => Effect.succeed(answer),
    lasting: true,
    event: () => undefined,
  }
}
