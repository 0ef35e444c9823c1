/** Resumes every due run once: runs whose process has died, and runs whose question has an answer. */
import * as Effect from "effect/Effect"
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
  /** A run claimed this often in a row without recording a step fails; 5 unless given. */
  readonly attempts?: number
  /** Options of each run. */
  readonly options?: (record: RunRecord) => RunOptions
}

export interface ResumedRun<E> {
  readonly run: string
  readonly exit: Exit<RunResult, RunFailed | InputsRejected | StoreFailed | E>
}

/**
 * One pass over the runs that are due now, oldest first; suspects, which may kill the process, come last and one by one.
 * Skips a run that another process claims meanwhile. Where the store cannot see whether the owner of a run is alive, the
 * pass starts by watching for a sign of life.
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
      const each = (records: ReadonlyArray<RunRecord>, atOnce: number) =>
        Effect.forEach(
          records,
          (record) =>
            Effect.map(Effect.exit(one(record)), (exit): ResumedRun<E> => ({
              run: record.run,
              exit,
            })),
          { concurrency: atOnce },
        )
      yield* watchOwners(store)
      const due = yield* store.due()
      const first = yield* each(
        due.filter((record) => !isSuspect(record)),
        concurrency,
      )
      return [...first, ...(yield* each(due.filter(isSuspect), 1))]
    }),
  )

/** A single pass has to wait for signs of life; a long-running worker polls again. A run that cannot be watched is skipped here. */
const watchOwners = (store: RunStore): Effect.Effect<void, StoreFailed> =>
  Effect.flatMap(store.list({ status: "running" }), (running) =>
    Effect.forEach(
      running.filter(({ active }) => active),
      ({ run }) => Effect.ignore(store.watchOwner(run)),
      { concurrency: "unbounded", discard: true },
    ),
  )
