/** Resumes a recorded run, of this process or another, from the end of its record. */
import * as Effect from "effect/Effect"
import {
  StoreFailed,
  type JsonObject,
  type RunRecord,
  type RunStore,
} from "@planloom/plugin/effect"
import type { Pipeline, RunFailed, RunResult, RunOptions } from "@planloom/core"
import {
  inputsKept,
  missingInputs,
  notPersonal,
  refusedInputs,
  startedWith,
} from "@planloom/core/internal"
import { InputsRejected, run } from "@planloom/core"

export interface ResumeOptions extends RunOptions {
  readonly store: RunStore
  /** Personal inputs, which no record holds, with the values that the run was started with. No other input is taken. */
  readonly inputs?: JsonObject
}

/**
 * Runs the pipeline again over the run's record, with the recorded inputs: finished steps are answered from the record,
 * events continue with the next number. `pipeline` must be compiled from the definition the run started with. Another
 * process that has the run open is fenced off. Fails with `missing` when the store has no run of this id, and with
 * `InputsRejected` when personal inputs or the user are not given again or differ, or another input is given.
 */
export const resume = (
  pipeline: Pipeline,
  id: string,
  options: ResumeOptions,
): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
  Effect.flatMap(
    options.store.show(id),
    (record): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
      record === undefined
        ? Effect.fail(new StoreFailed({ reason: "missing", message: `there is no run "${id}"` }))
        : resumeRecord(pipeline, record, options),
  )

/**
 * The same for a run whose record was read; give its epoch, for what has changed since. `unrecorded` are inputs that this
 * process has started the run with, where they differ from the record.
 */
export const resumeRecord = (
  pipeline: Pipeline,
  record: RunRecord,
  { inputs: again = {}, unrecorded, ...options }: ResumeOptions & { unrecorded?: JsonObject },
): Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
  Effect.gen(function* () {
    const started = yield* startedWith(options.store, record)
    const others = notPersonal(started, again)
    if (others.length > 0) return yield* inputsKept(pipeline.name, record.run, others)
    const missing = missingInputs(started, { ...unrecorded, ...again })
    if (missing.length > 0) return yield* notGiven(pipeline, missing)
    // Compared with those of the start once more by `run`, with the values of the personal ones.
    const inputs = { ...started.inputs, ...unrecorded, ...again }
    return yield* run(pipeline, inputs, { ...options, run: record.run })
  })

/** Fails with `InputsRejected` if a resume of the run would refuse these inputs, whatever else it needs. */
export const requireSameInputs = (
  { name }: Pipeline,
  id: string,
  { inputs: again = {}, store }: Pick<ResumeOptions, "inputs" | "store">,
): Effect.Effect<void, InputsRejected | StoreFailed> =>
  Effect.gen(function* () {
    if (Object.keys(again).length === 0) return
    const record = yield* store.show(id)
    if (record === undefined) return
    const issues = yield* refusedInputs(yield* startedWith(store, record), again)
    if (issues.length > 0) yield* inputsKept(name, id, issues)
  })

const notGiven = ({ name }: Pipeline, missing: ReadonlyArray<string>) =>
  new InputsRejected({
    workflow: name,
    subject: "inputs",
    message: `personal inputs are not recorded; give them again: ${missing
      .map((input) => `"${input}"`)
      .join(", ")}`,
    issues: missing.map((input) => ({ path: `/${input}`, message: "is personal" })),
  })
