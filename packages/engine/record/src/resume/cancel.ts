/** Cancels a recorded run: through the process that owns it, or in this process when none does. */
import * as Effect from "effect/Effect"
import type { CancelRequest, StoreFailed } from "@planloom/plugin/effect"
import type { Pipeline, RunFailed, RunResult, InputsRejected } from "@planloom/core"
import { Cancellation } from "@planloom/core"
import { resume, type ResumeOptions } from "./resume.ts"

/**
 * A run without owner is replayed to the end of its record, then its `finally` stages run with outcome `cancelled`.
 * A run whose record reaches its end keeps that end. Interrupts when the run is cancelled, as `run` does. `pipeline`
 * must be compiled from the run's own definition.
 */
export const cancel = (
  pipeline: Pipeline,
  id: string,
  request: CancelRequest,
  options: ResumeOptions,
): Effect.Effect<RunResult | "asked", RunFailed | InputsRejected | StoreFailed> =>
  Effect.flatMap(
    options.store.cancel(id, request),
    (asked): Effect.Effect<RunResult | "asked", RunFailed | InputsRejected | StoreFailed> =>
      asked
        ? Effect.succeed("asked")
        : resume(pipeline, id, { ...options, cancellation: new Cancellation(request) }),
  )
