/** Resumes every due run once: runs whose process has died, and runs whose question has an answer. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import type { Exit } from "effect/Exit"
import type { Scope } from "effect/Scope"
import type { Json, RunRecord, RunStore, StoreFailed } from "@planloom/plugin/effect"
import type { RunFailed, RunResult, InputsRejected, RunOptions } from "@planloom/core"
import { DEFAULT_ATTEMPTS, abandon, isSuspect } from "./abandon.ts"
import { claim, type Ready } from "./claim.ts"

export interface ResumeDueOptions<E> {
  /** Loads the pipeline of a run's definition. Called once for all runs of a pass that share a definition. */
  readonly load: (definition: Json | undefined, record: RunRecord) => Effect.Effect<Ready, E, Scope>
  /** Maximum number of runs at once; 4 unless given. */
  readonly concurrency?: number
  /** A run fails after this many owners in a row that fell silent without a new step; 5 unless given. */
  readonly attempts?: number
  /** Options of each run. */
  readonly options?: (record: RunRecord) => RunOptions
}

export interface ResumedRun<E> {
  readonly run: string
  readonly exit: Exit<RunResult, RunFailed | InputsRejected | StoreFailed | E>
}

/** How often the pass looks whether a suspect has recorded a step. */
const LOOK_INTERVAL_MS = 20

/**
 * One pass over the runs that are due now, oldest first. Suspects, which may kill the process, come last: each starts when
 * the one before it has recorded a step or has ended. Skips a run that another process claims meanwhile. Where the store
 * cannot see whether the owner of a run is alive, the pass starts by watching for a sign of life.
 */
export const resumeDue = <E>(
  store: RunStore,
  { attempts = DEFAULT_ATTEMPTS, concurrency = 4, load, options }: ResumeDueOptions<E>,
): Effect.Effect<ReadonlyArray<ResumedRun<E>>, StoreFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const loaded = new Map<string, ReturnType<typeof load>>()
      const readyFor = Effect.fnUntraced(function* (record: RunRecord) {
        const definition = yield* store.definition(record.run)
        const key = JSON.stringify(definition) ?? ""
        let found = loaded.get(key)
        if (found === undefined) {
          found = yield* Effect.cached(load(definition, record))
          loaded.set(key, found)
        }
        return yield* found
      })
      const one = Effect.fnUntraced(function* (record: RunRecord) {
        if ((record.attemptsWithoutProgress ?? 0) >= attempts) return yield* abandon(store, record)
        return yield* claim(store, record, yield* readyFor(record), options?.(record))
      })
      const resumed = (record: RunRecord) =>
        Effect.map(Effect.exit(one(record)), (exit): ResumedRun<E> => ({ run: record.run, exit }))
      const alone = Semaphore.makeUnsafe(1)
      const suspect = (record: RunRecord) =>
        Effect.flatMap(
          alone.withPermit(
            Effect.flatMap(Effect.forkChild(resumed(record)), (fiber) =>
              Effect.as(
                Effect.raceFirst(Fiber.await(fiber), untilProgress(store, record.run)),
                fiber,
              ),
            ),
          ),
          Fiber.join,
        )
      yield* watchOwners(store)
      const due = yield* store.due()
      const [suspects, others] = [due.filter(isSuspect), due.filter((record) => !isSuspect(record))]
      const first = yield* Effect.forEach(others, resumed, { concurrency })
      return [...first, ...(yield* Effect.forEach(suspects, suspect, { concurrency }))]
    }),
  )

/** Waits until the run has recorded a step. A store that fails at that fails the run, too. */
const untilProgress = (store: RunStore, run: string): Effect.Effect<void> => {
  const look: Effect.Effect<void, StoreFailed> = Effect.flatMap(store.show(run), (record) =>
    record !== undefined && isSuspect(record)
      ? Effect.delay(
          Effect.suspend(() => look),
          LOOK_INTERVAL_MS,
        )
      : Effect.void,
  )
  return Effect.catch(look, () => Effect.never)
}

/** A single pass has to wait for signs of life; a long-running worker polls again. A run that cannot be watched is skipped here. */
const watchOwners = (store: RunStore): Effect.Effect<void, StoreFailed> =>
  Effect.flatMap(store.list({ status: "running" }), (running) =>
    Effect.forEach(
      running.filter(({ active }) => active),
      ({ run }) => Effect.ignore(store.watchOwner(run)),
      { concurrency: "unbounded", discard: true },
    ),
  )
