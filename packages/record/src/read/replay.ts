/** Goes over a recorded run without doing anything: does the workflow still come to the same end? */
import * as Effect from "effect/Effect"
import { isDeepStrictEqual } from "node:util"
import {
  replayed,
  type Failure,
  type Journal,
  type Json,
  type JsonObject,
  type RecordedRun,
  type RunEvent,
} from "@planloom/plugin"
import type { Pipeline, RunResult, InputsRejected } from "@planloom/core"
import { runOutcome, Personal, isEnd } from "@planloom/core/internal"
import { resultOf, RunFold, run, Cancellation } from "@planloom/core"

export interface Replayed {
  readonly result: RunResult
  readonly recorded: RunResult
  /** Both have the same status, outputs and failure. */
  readonly same: boolean
  /** The first step the workflow wanted that is not in the record. */
  readonly missing?: string
  /** The first recorded step the workflow had no use for. */
  readonly unused?: string
}

export interface ReplayOptions {
  /** Hears the events as `run` would tell them. */
  readonly onEvent?: (event: RunEvent) => void
  /** The personal ones, which no record holds; its marks stand for those that are not given. */
  readonly inputs?: JsonObject
}

/** Nothing is written, no model or tool is called. */
export const replay = (
  pipeline: Pipeline,
  recorded: RecordedRun,
  { inputs: again, onEvent }: ReplayOptions = {},
): Effect.Effect<Replayed, InputsRejected> =>
  Effect.suspend(() => {
    const inputs = { ...(recorded.inputs as JsonObject), ...again }
    const personal = new Personal(pipeline.definition.inputs, inputs)
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
    const going = run(pipeline, inputs, {
      run: recorded.run,
      ...(session === undefined ? {} : { session }),
      journal: personal.journal(recordOnly(recorded, asked)),
      cancellation,
      onEvent: (event) => {
        fold.push(event)
        onEvent?.(event)
      },
    })
    return Effect.flatMap(Effect.exit(going), (exit) => {
      const rejected = exit._tag === "Failure" ? rejection(exit.cause.reasons) : undefined
      if (rejected !== undefined) return Effect.fail(rejected)
      const result = fold.result()
      const before = resultOf(recorded.events)
      const unused = unusedStep(pipeline, recorded, asked)
      return Effect.succeed({
        result,
        recorded: before,
        same: isSame(result, before, personal),
        ...(missing === undefined ? {} : { missing }),
        ...(unused === undefined ? {} : { unused }),
      })
    })
  })

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

/** `finally` is gone over as it was done at the last end; nothing is inside of a run that has failed as a whole. */
const unusedStep = (
  { finally: lastly }: Pipeline,
  { steps }: RecordedRun,
  asked: ReadonlySet<string>,
): string | undefined => {
  if (steps.some(({ name }) => name === runOutcome)) return undefined
  const last = new Set(lastly.nodes.map(({ id }) => id))
  return steps.find(({ name }) => !last.has(/^[^~[/]*/.exec(name)![0]) && !wanted(name, asked))
    ?.name
}

/** What is inside of a step that answers from the record is not asked for. */
const wanted = (name: string, asked: ReadonlySet<string>): boolean => {
  for (let end = name.length; end > 0; end--) {
    const ends = end === name.length || "/[".includes(name[end]!)
    if (ends && asked.has(name.slice(0, end))) return true
  }
  return false
}

/** Does nothing by itself; what is not recorded is left to `Cancellation`, which holds it. */
const recordOnly = ({ steps, timers, waits }: RecordedRun, asked: Set<string>): Journal => {
  const byName = new Map(steps.map(({ name, outcome }) => [name, outcome]))
  const answers = new Map(waits.map(({ answer, wait }) => [wait.name, { wait, answer }]))
  return {
    step: <A extends Json, E extends Failure, R>(name: string, effect: Effect.Effect<A, E, R>) => {
      asked.add(name)
      const known = byName.get(name)
      return known === undefined ? effect : (replayed(known) as Effect.Effect<A, E>)
    },
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
