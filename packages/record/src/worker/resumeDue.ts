/** Goes on with every run that can: those whose process has died, and those that have their answer. */
import * as Effect from "effect/Effect"
import type { Exit } from "effect/Exit"
import type { Scope } from "effect/Scope"
import type { Json, RunRecord, RunStore, StoreFailed } from "@planloom/plugin"
import type { RunFailed, RunResult, InputsRejected, RunOptions } from "@planloom/core"
import { ATTEMPTS, abandon, isDoubtful } from "./abandon.ts"
import { claim, type Ready } from "./claim.ts"

export interface ResumeDueOptions<E> {
  /** What a run began with → its pipeline. Asked once for all runs of a pass that share a definition. */
  readonly load: (definition: Json | undefined, record: RunRecord) => Effect.Effect<Ready, E, Scope>
  /** Runs at once; 4 unless given. */
  readonly concurrency?: number
  /** A run that was taken up so often in a row with no step recorded since is ended as failed; 5 unless given. */
  readonly attempts?: number
  /** How each is run. */
  readonly options?: (record: RunRecord) => RunOptions
}

export interface ResumedRun<E> {
  readonly run: string
  readonly exit: Exit<RunResult, RunFailed | InputsRejected | StoreFailed | E>
}

/**
 * One pass over what is due now, oldest first; those that may kill the process come last, one by one. A run that
 * somebody else takes up meanwhile is left to them. Where the store cannot see whether the owner of a run is alive, the
 * pass begins by watching for a sign of life.
 */
export const resumeDue = <E>(
  store: RunStore,
  { attempts = ATTEMPTS, concurrency = 4, load, options }: ResumeDueOptions<E>,
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
        if ((record.fruitless ?? 0) >= attempts) return yield* abandon(store, record)
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
        due.filter((record) => !isDoubtful(record)),
        concurrency,
      )
      return [...first, ...(yield* each(due.filter(isDoubtful), 1))]
    }),
  )

/** A pass looks once; a worker that stays need not wait. A run that cannot be watched is left to the look for what is due. */
const watchOwners = (store: RunStore): Effect.Effect<void, StoreFailed> =>
  Effect.flatMap(store.list({ status: "running" }), (running) =>
    Effect.forEach(
      running.filter(({ active }) => active),
      ({ run }) => Effect.ignore(store.watchOwner(run)),
      { concurrency: "unbounded", discard: true },
    ),
  )
