/** A loaded workflow for applications that do not use Effect: promises and async iterables. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Json, JsonObject, RunEvent, RunStore, Wait } from "@planloom/plugin"
import type { LoadedWorkflow, ModelRegistry, RunResult, RunOptions } from "@planloom/core"
import { run } from "@planloom/core"
import type { GivenAnswer } from "@planloom/record"

/** Input and output types of a workflow, as `planloom types` writes them. */
export interface WorkflowTypes {
  readonly inputs: object
  readonly outputs: object
}

export interface EmbeddedRunOptions extends Omit<RunOptions, "answer"> {
  /** Answers questions while the run waits; returns undefined when no answer is available now. */
  readonly answer?: (wait: Wait) => Json | undefined | Promise<Json | undefined>
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

/** Events as they happen; `result` settles when the run ends, and rejects as `run` would. */
export interface EventStream<W extends WorkflowTypes> extends AsyncIterable<RunEvent> {
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
   * with `AnswerRefused` when the answer is refused, and otherwise as `run` does.
   */
  readonly answer: (
    run: string,
    given: GivenAnswer,
    options: EmbeddedRunOptions & { readonly store: RunStore },
  ) => Promise<EmbeddedResult<W> | WaitingResult | undefined>
  /** Ending the iteration early cancels the run. */
  readonly stream: (inputs: W["inputs"], options?: EmbeddedRunOptions) => EventStream<W>
  /** The models that its stages call; they can be listed, and swapped for the next call. */
  readonly models: ModelRegistry
  /** Releases the plugins. Afterwards `run` and `answer` reject, and `stream` throws. */
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
  const start = (inputs: object, given: EmbeddedRunOptions) =>
    run(pipeline, inputs as JsonObject, { secrets, ...optionsOf(given) })
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
    answer: async (id, given, { store, ...more }) => {
      refuseClosed()
      // Loaded on demand: most hosts record no runs.
      const { answer } = await import("@planloom/record")
      return (await ended(
        answer(pipeline, id, given, { secrets, ...optionsOf(more), store }),
        more.signal,
      )) as EmbeddedResult<W> | WaitingResult | undefined
    },
    models: pipeline.models,
    stream: (inputs, given = {}) => {
      refuseClosed()
      return streamed<W>(start, inputs, given)
    },
    close: () => {
      closed = true
      return Effect.runPromise(Scope.close(scope, Exit.void))
    },
  }
}

const optionsOf = ({ answer: ask, ...rest }: EmbeddedRunOptions): RunOptions =>
  ask === undefined
    ? rest
    : { ...rest, answer: (wait) => Effect.promise(async () => await ask(wait)) }

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

const streamed = <W extends WorkflowTypes>(
  start: (inputs: object, options: EmbeddedRunOptions) => Effect.Effect<RunResult, unknown>,
  inputs: object,
  options: EmbeddedRunOptions,
): EventStream<W> => {
  let waiting: Array<RunEvent> = []
  let wake: (() => void) | undefined
  let ended = false
  const fiber = Effect.runFork(
    unlessAborted(
      start(inputs, {
        ...options,
        onEvent: (event) => {
          options.onEvent?.(event)
          waiting.push(event)
          wake?.()
        },
      }),
      options.signal,
    ),
    options.signal === undefined ? {} : { signal: options.signal },
  )
  const result = new Promise<EmbeddedResult<W>>((resolve, reject) => {
    fiber.addObserver((exit) => {
      ended = true
      wake?.()
      try {
        resolve(settle(exit) as EmbeddedResult<W>)
      } catch (error) {
        reject(error as Error)
      }
    })
  })
  // The consumer may only iterate; the failure is then one of the events.
  result.catch(() => undefined)
  return {
    result,
    async *[Symbol.asyncIterator]() {
      try {
        while (true) {
          // In batches: removing single events from the front would take quadratic time.
          while (waiting.length > 0) {
            const batch = waiting
            waiting = []
            yield* batch
          }
          if (ended) return
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          wake = undefined
        }
      } finally {
        if (!ended) {
          fiber.interruptUnsafe()
          await result.catch(() => undefined)
        }
      }
    },
  }
}
