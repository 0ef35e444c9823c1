/** A run as a stream: its events as they happen, then its end. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { JsonObject, RunEvent } from "@planloom/plugin/effect"
import type { Pipeline } from "../pipeline/Pipeline.ts"
import type { RunFailed } from "./RunResult.ts"
import type { InputsRejected } from "./InputsRejected.ts"
import { run } from "./run.ts"
import type { RunOptions } from "./RunOptions.ts"

/** Runs the pipeline while the stream is consumed; cancellation the stream cancels the run. */
export const events = (
  pipeline: Pipeline,
  inputs: JsonObject,
  options: RunOptions = {},
): Stream.Stream<RunEvent, RunFailed | InputsRejected> =>
  Stream.callback<RunEvent, RunFailed | InputsRejected>((queue) =>
    Effect.matchCauseEffect(
      run(pipeline, inputs, {
        ...options,
        onEvent: (event) => {
          options.onEvent?.(event)
          Queue.offerUnsafe(queue, event)
        },
      }),
      {
        onSuccess: () => Queue.end(queue),
        onFailure: (cause) => Queue.failCause(queue, cause as Cause.Cause<RunFailed>),
      },
    ),
  )
