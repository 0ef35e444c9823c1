/** Starts a long-running worker, which resumes every runnable run of a store until its scope closes. */
import * as Effect from "effect/Effect"
import * as RcMap from "effect/RcMap"
import type { Scope } from "effect/Scope"
import type { Json, RunStore } from "@planloom/plugin/effect"
import type { Worker, WorkerOptions } from "./Worker.ts"
import { WorkerLoop } from "./WorkerLoop.ts"

/** A workflow that no run uses stays loaded for this long. */
const IDLE_MS = 60_000

/**
 * Claims due runs, oldest first. When the scope closes it starts nothing more, lets the steps under way end and be
 * recorded within `drain`, and leaves the runs to the next worker.
 */
export const worker = <E>(
  store: RunStore,
  options: WorkerOptions<E>,
): Effect.Effect<Worker, never, Scope> =>
  Effect.gen(function* () {
    const ready = yield* RcMap.make({
      lookup: (key: string) => options.load(key === "" ? undefined : (JSON.parse(key) as Json)),
      idleTimeToLive: IDLE_MS,
    })
    const context = yield* Effect.context<never>()
    return yield* Effect.acquireRelease(
      Effect.sync(() => {
        const loop = new WorkerLoop(store, options, ready, context)
        loop.start()
        return loop
      }),
      (loop) => loop.leave,
    )
  })
