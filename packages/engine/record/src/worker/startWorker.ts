/** Starts a long-running worker, which resumes every runnable run of a store until its scope closes. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { RunStore } from "@planloom/plugin/effect"
import { ReadyWorkflows } from "./ReadyWorkflows.ts"
import type { Worker, WorkerOptions } from "./Worker.ts"
import { WorkerLoop } from "./WorkerLoop.ts"

/**
 * Claims due runs, oldest first. When the scope closes it starts nothing more, lets the steps under way end and be
 * recorded within `drain`, and leaves the runs to the next worker.
 */
export const worker = <E>(
  store: RunStore,
  options: WorkerOptions<E>,
): Effect.Effect<Worker, never, Scope> =>
  Effect.gen(function* () {
    const ready = yield* ReadyWorkflows.make(options.load)
    const context = yield* Effect.context<never>()
    return yield* Effect.acquireRelease(
      Effect.sync(() => {
        const loop = new WorkerLoop(store, options, ready, context)
        loop.startPolling()
        return loop
      }),
      (loop) => loop.leave,
    )
  })
