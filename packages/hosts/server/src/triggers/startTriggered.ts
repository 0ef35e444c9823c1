/** Starts a run that a trigger asks for, once for each id. */
import * as Effect from "effect/Effect"
import { isJsonObject, type Json, type RunStore, type StoreFailed } from "@planloom/plugin/effect"
import { InputsRejected } from "@planloom/core"
import { inputsOf } from "@planloom/core/internal"
import { enqueue } from "@planloom/record/worker"
import type { Worker } from "@planloom/record/worker"
import type { ServedWorkflow } from "../Api.ts"
import { operator } from "../Caller.ts"
import { recordNew } from "../startRun.ts"

export interface Triggered {
  readonly workflow: ServedWorkflow
  /** Two requests for the same id start one run. */
  readonly run: string
  readonly inputs: Json
  /** Epoch milliseconds. */
  readonly at: number
}

/** `known`: the store has a run of this id. */
export const startTriggered = (
  store: RunStore,
  worker: Worker,
  { at, inputs, run, workflow }: Triggered,
): Effect.Effect<"started" | "known" | InputsRejected, StoreFailed> =>
  Effect.gen(function* () {
    const { definition, pipeline, secrets } = workflow
    if (!isJsonObject(inputs)) {
      return new InputsRejected({
        workflow: pipeline.name,
        subject: "inputs",
        message: "the inputs are not an object",
        issues: [{ path: "", message: "must be object" }],
      })
    }
    if ((yield* store.show(run)) !== undefined) return "known"
    const given = inputsOf(pipeline, inputs)
    if (given instanceof InputsRejected) return given
    const enqueued = yield* enqueue(pipeline, { run, inputs: given, definition, secrets, at })
    const record = yield* recordNew(store, worker, enqueued, operator)
    return record === undefined ? "known" : "started"
  })
