/** A run begun earlier, by this process or another → the same run, from where its record ends. */
import * as Effect from "effect/Effect"
import { StoreFailed, type JsonObject, type RunStore } from "@planloom/plugin"
import type { Pipeline, RunFailed, RunResult, RunOptions } from "@planloom/core"
import { missingPersonal } from "@planloom/core/internal"
import { InputsRejected, run } from "@planloom/core"

/**
 * Runs the pipeline again over the run's record, with the inputs it began with: finished steps answer at
 * once, events go on with the next number. `pipeline` must be compiled from the definition the run began
 * with. Whoever else has the run open is fenced off. Fails with `missing` when there is no such run, and
 * rejects its inputs when personal ones are not given again.
 */
export const resume = (
  pipeline: Pipeline,
  id: string,
  options: RunOptions & {
    readonly store: RunStore
    /** The personal ones, which no record holds. */
    readonly inputs?: JsonObject
  },
): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
  Effect.flatMap(
    options.store.show(id),
    (record): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
      record === undefined
        ? Effect.fail(new StoreFailed({ reason: "missing", message: `there is no run "${id}"` }))
        : withPersonal(pipeline, record.inputs as JsonObject, options.inputs, (inputs) =>
            run(pipeline, inputs, { ...options, run: id }),
          ),
  )

/** The recorded inputs, with those that are personal given again. */
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
      message: `personal inputs are not recorded and have to be given again: ${names}`,
      issues: missing.map((input) => ({ path: `/${input}`, message: "is personal" })),
    }),
  )
}
