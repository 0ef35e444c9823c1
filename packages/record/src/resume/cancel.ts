/** Ends a recorded run: by its owner when somebody is at work on it, otherwise here. */
import * as Effect from "effect/Effect"
import type { CancelRequest, RunStore, StoreFailed } from "@planloom/plugin"
import type { Pipeline, RunFailed, RunResult, InputsRejected, RunOptions } from "@planloom/core"
import { Cancellation } from "@planloom/core"
import { resume } from "./resume.ts"

/**
 * A run that nobody works on is gone over as far as its record reaches, then its `finally` stages are done
 * with outcome `cancelled`. One whose record reaches its end has that end. Interrupts when it is cancelled,
 * as `run` does. `pipeline` must be compiled from the run's own definition.
 */
export const cancel = (
  pipeline: Pipeline,
  id: string,
  request: CancelRequest,
  options: RunOptions & { readonly store: RunStore },
): Effect.Effect<RunResult | "asked", RunFailed | InputsRejected | StoreFailed> =>
  Effect.flatMap(
    options.store.cancel(id, request),
    (asked): Effect.Effect<RunResult | "asked", RunFailed | InputsRejected | StoreFailed> =>
      asked
        ? Effect.succeed("asked")
        : resume(pipeline, id, { ...options, cancellation: new Cancellation(request) }),
  )
