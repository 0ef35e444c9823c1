/** A run begun earlier, by this process or another → the same run, from where its record ends. */
import * as Effect from "effect/Effect"
import { StoreFailed, type JsonObject, type RunStore } from "@planloom/plugin"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import type { RunFailed, RunResult } from "./result.ts"
import { run, type InputsRejected, type RunOptions } from "./run.ts"

/**
 * Runs the pipeline again over the run's record, with the inputs it began with: finished steps answer at
 * once, events go on with the next number. `pipeline` must be compiled from the definition the run began
 * with. Whoever else has the run open is fenced off. Fails with `missing` when there is no such run.
 */
export const resume = (
  pipeline: Pipeline,
  id: string,
  options: RunOptions & { readonly store: RunStore },
): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
  Effect.flatMap(
    options.store.show(id),
    (record): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
      record === undefined
        ? Effect.fail(new StoreFailed({ reason: "missing", message: `there is no run "${id}"` }))
        : run(pipeline, record.inputs as JsonObject, { ...options, run: id }),
  )
