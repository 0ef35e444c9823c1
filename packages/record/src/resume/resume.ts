/** Resumes a recorded run, of this process or another, from the end of its record. */
import * as Effect from "effect/Effect"
import {
  StoreFailed,
  type JsonObject,
  type RunRecord,
  type RunStore,
} from "@planloom/plugin/effect"
import type { Pipeline, RunFailed, RunResult, RunOptions } from "@planloom/core"
import { missingPersonal } from "@planloom/core/internal"
import { InputsRejected, run } from "@planloom/core"

/**
 * Runs the pipeline again over the run's record, with the recorded inputs: finished steps are answered from the record,
 * events continue with the next number. `pipeline` must be compiled from the definition the run started with. Another
 * process that has the run open is fenced off. Fails with `missing` when the store has no run of this id, and with
 * `InputsRejected` when personal inputs or the user are not given again, or the run is of another user.
 */
export const resume = (
  pipeline: Pipeline,
  id: string,
  options: RunOptions & {
    readonly store: RunStore
    /** Personal inputs, which no record holds. */
    readonly inputs?: JsonObject
  },
): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
  Effect.flatMap(
    options.store.show(id),
    (record): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
      record === undefined
        ? Effect.fail(new StoreFailed({ reason: "missing", message: `there is no run "${id}"` }))
        : resumeRecord(pipeline, record, options),
  )

/** The same for a run whose record was read; give its epoch, for what has changed since. */
export const resumeRecord = (
  pipeline: Pipeline,
  record: RunRecord,
  options: Parameters<typeof resume>[2],
): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
  withPersonal(pipeline, record.inputs as JsonObject, options.inputs, (inputs) =>
    run(pipeline, inputs, { ...options, run: record.run }),
  )

/** Completes the recorded inputs with the personal ones. */
const withPersonal = <A, E>(
  { definition, name }: Pipeline,
  recorded: JsonObject,
  again: JsonObject = {},
  use: (inputs: JsonObject) => Effect.Effect<A, E>,
): Effect.Effect<A, E | InputsRejected> => {
  const inputs = { ...recorded, ...again }
  const missing = missingPersonal(definition.inputs, inputs)
  if (missing.length === 0) return use(inputs)
  const names = missing.map((input) => `"${input}"`).join(", ")
  return Effect.fail(
    new InputsRejected({
      workflow: name,
      subject: "inputs",
      message: `personal inputs are not recorded; give them again: ${names}`,
      issues: missing.map((input) => ({ path: `/${input}`, message: "is personal" })),
    }),
  )
}
