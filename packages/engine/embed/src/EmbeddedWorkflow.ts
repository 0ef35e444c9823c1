/** A loaded workflow for applications that do not use Effect: promises and async iterables. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Json, JsonObject, Part, RunEvent, RunStore, Wait } from "@planloom/plugin/effect"
import type { LoadedWorkflow, ModelRegistry, RunResult, RunOptions } from "@planloom/core"
import { run } from "@planloom/core"
import type { GivenAnswer } from "@planloom/record"
import { eventStream } from "./eventStream.ts"
import { partStream } from "./partStream.ts"
import { runInBackground } from "./runInBackground.ts"

/** Input and output types of a workflow, as `planloom types` writes them. */
export interface WorkflowTypes {
  readonly inputs: object
  readonly outputs: object
}

export interface EmbeddedRunOptions extends Omit<RunOptions, "answer" | "onPart" | "pace"> {
  /** Answers questions while the run waits; returns undefined when no answer is available now. */
  readonly answer?: (wait: Wait) => Json | undefined | Promise<Json | undefined>
  /**
   * Called with the parts of streamed outputs, in order. The model is read no further before a returned promise
   * resolves. Must not throw.
   */
  readonly onPart?: (part: Part) => void | Promise<void>
  /** Cancels the run when it aborts. */
  readonly signal?: AbortSignal
}

/** The result of a run that succeeded, its outputs typed. */
export type EmbeddedResult<W extends WorkflowTypes> = Omit<RunResult, "outputs" | "status"> & {
  readonly status: "succeeded"
  readonly outputs: W["outputs"]
}

/** A suspended recorded run; `waits` are its questions. */
export type WaitingResult = Omit<RunResult, "status"> & {
  readonly status: "suspended" | "clarification"
}

/** Only a recorded run can be suspended. */
export type Unrecorded = EmbeddedRunOptions & {
  readonly store?: undefined
  readonly journal?: undefined
}

/**
 * Events as they happen; `result` settles when the run ends, and rejects as `run` would. A run starts no further step
 * while 1,024 events wait for the reader, unless `result` has been asked for.
 */
export interface EventStream<W extends WorkflowTypes> extends AsyncIterable<RunEvent> {
  readonly result: Promise<EmbeddedResult<W>>
}

/**
 * Parts of streamed outputs while the model writes them. The iteration ends when the run has succeeded, and otherwise
 * throws what `run` would reject with, after all parts that were delivered. The model is read at most 16 parts ahead of
 * the reader, and not at all without one, unless only `result` is awaited.
 */
export interface PartStream<W extends WorkflowTypes> extends AsyncIterable<Part> {
  readonly result: Promise<EmbeddedResult<W>>
}

export interface EmbeddedWorkflow<W extends WorkflowTypes = WorkflowTypes> {
  /** Rejects with `RunFailed` or `InputsRejected`; with an AbortError when the signal aborts. */
  readonly run: {
    (inputs: W["inputs"], options?: Unrecorded): Promise<EmbeddedResult<W>>
    (inputs: W["inputs"], options: EmbeddedRunOptions): Promise<EmbeddedResult<W> | WaitingResult>
  }
  /**
   * Answers a question of a recorded run and resumes it; undefined when another process executes the run. Rejects
   * with `AnswerRefused` when the answer is refused, and otherwise as `run` does. `inputs` are the personal ones, which no
   * record holds; others and other values are refused before the answer is recorded.
   */
  readonly answer: (
    run: string,
    given: GivenAnswer,
    options: EmbeddedRunOptions & { readonly store: RunStore; readonly inputs?: object },
  ) => Promise<EmbeddedResult<W> | WaitingResult | undefined>
  /** Runs and gives the parts of outputs with `stream: true`. Ending the iteration early cancels the run. */
  readonly stream: (inputs: W["inputs"], options?: EmbeddedRunOptions) => PartStream<W>
  /** Runs and gives every event. Ending the iteration early cancels the run. */
  readonly events: (inputs: W["inputs"], options?: EmbeddedRunOptions) => EventStream<W>
  /** The models that its stages call; they can be listed, and swapped for the next call. */
  readonly models: ModelRegistry
  /** Releases the plugins. Afterwards `run` and `answer` reject, and `stream` and `events` throw. */
  readonly close: () => Promise<void>
}

/** `path` is the file that the workflow was loaded from, for messages. */
export const embedded = async <W extends WorkflowTypes>(
  path: string,
  load: Effect.Effect<LoadedWorkflow, unknown, Scope.Scope>,
): Promise<EmbeddedWorkflow<W>> => {
  const scope = Scope.makeUnsafe()
  const loaded = await Effect.runPromiseExit(Scope.provide(load, scope))
  if (Exit.isFailure(loaded)) {
    await Effect.runPromise(Scope.close(scope, loaded))
    throw Exit.findErrorOption(loaded).pipe((error) =>
      error._tag === "Some" ? error.value : new Error(String(loaded.cause)),
    )
  }
  const { pipeline, secrets } = loaded.value
  const start = (
    inputs: object,
    given: EmbeddedRunOptions,
    more: Pick<RunOptions, "onPart" | "pace"> = {},
  ) => run(pipeline, inputs as JsonObject, { secrets, ...optionsOf(given), ...more })
  const ended = async <A>(work: Effect.Effect<A, unknown>, signal: AbortSignal | undefined) =>
    settle(
      await Effect.runPromiseExit(
        unlessAborted(work, signal),
        signal === undefined ? {} : { signal },
      ),
    )
  let closed = false
  const refuseClosed = () => {
    if (closed) throw new Error(`${path} has been closed, and its plugins let go; load it again`)
  }
  return {
    run: async (inputs: W["inputs"], given: EmbeddedRunOptions = {}) => {
      refuseClosed()
      return (await ended(start(inputs, given), given.signal)) as EmbeddedResult<W>
    },
    answer: async (id, given, { inputs = {}, store, ...more }) => {
      refuseClosed()
      // Loaded on demand: most hosts record no runs.
      const { answer } = await import("@planloom/record")
      return (await ended(
        answer(pipeline, id, given, {
          secrets,
          ...optionsOf(more),
          inputs: inputs as JsonObject,
          store,
        }),
        more.signal,
      )) as EmbeddedResult<W> | WaitingResult | undefined
    },
    models: pipeline.models,
    stream: (inputs, given = {}) => {
      refuseClosed()
      return partStream((push, onEnd) => {
        const { onPart: also } = given
        const onPart =
          also === undefined ? push : (part: Part) => andThen(also(part), () => push(part))
        return inBackground<W>(start(inputs, given, { onPart }), given, onEnd)
      })
    },
    events: (inputs, given = {}) => {
      refuseClosed()
      return eventStream((sink) => {
        const onEvent = (event: RunEvent) => {
          given.onEvent?.(event)
          sink.onEvent(event)
        }
        const work = start(inputs, { ...given, onEvent }, { pace: sink.pace })
        return inBackground<W>(work, given, sink.onEnd)
      })
    },
    close: () => {
      closed = true
      return Effect.runPromise(Scope.close(scope, Exit.void))
    },
  }
}

const optionsOf = ({ answer: ask, onPart, ...rest }: EmbeddedRunOptions): RunOptions => ({
  ...rest,
  ...(ask === undefined ? {} : { answer: (wait) => Effect.promise(async () => await ask(wait)) }),
  ...(onPart === undefined ? {} : { onPart: (part) => andThen(onPart(part), () => undefined) }),
})

/** The host's own listener comes first, and holds up what follows. */
const andThen = (
  first: Promise<void> | void,
  second: () => Effect.Effect<void> | void,
): Effect.Effect<void> | void =>
  first === undefined
    ? second()
    : Effect.flatMap(
        Effect.promise(() => first),
        () => second() ?? Effect.void,
      )

const inBackground = <W extends WorkflowTypes>(
  work: Effect.Effect<unknown, unknown>,
  { signal }: EmbeddedRunOptions,
  onEnd: () => void,
) =>
  runInBackground(
    unlessAborted(work, signal),
    { signal },
    (exit) => settle(exit) as EmbeddedResult<W>,
    onEnd,
  )

/** Checked before the start, because a short run would end before it is interrupted. */
const unlessAborted = <A, E>(
  work: Effect.Effect<A, E>,
  signal: AbortSignal | undefined,
): Effect.Effect<A, E> => (signal?.aborted === true ? Effect.interrupt : work)

const settle = <A>(exit: Exit.Exit<A, unknown>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  const error = Exit.findErrorOption(exit)
  if (error._tag === "Some") throw error.value
  throw new DOMException("the run was cancelled", "AbortError")
}
