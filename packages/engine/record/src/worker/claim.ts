/** Claims a run of a store and resumes it. */
import type { Effect } from "effect/Effect"
import type {
  JsonObject,
  RunRecord,
  RunStore,
  StoreFailed,
  Telemetry,
} from "@planloom/plugin/effect"
import type { Pipeline, InputsRejected, RunFailed, RunResult, RunOptions } from "@planloom/core"
import { resumeRecord } from "../resume/resume.ts"

/** A loaded workflow, ready to run. */
export interface Ready {
  readonly pipeline: Pipeline
  readonly secrets?: ReadonlyArray<string>
  readonly telemetry?: Telemetry
}

/**
 * Fails with `fenced` when another process has claimed the run since its record was read. `inputs` are the personal
 * ones, `unrecorded` those of the start that the record holds placeholders of.
 * The user is that of the run, which a workflow that declares none does not read.
 */
export const claim = (
  store: RunStore,
  record: RunRecord,
  { pipeline, secrets, telemetry }: Ready,
  {
    user,
    ...options
  }: RunOptions & { readonly inputs?: JsonObject; readonly unrecorded?: JsonObject } = {},
): Effect<RunResult, RunFailed | InputsRejected | StoreFailed> =>
  resumeRecord(pipeline, record, {
    ...(secrets === undefined ? {} : { secrets }),
    ...(telemetry === undefined ? {} : { telemetry }),
    ...options,
    ...(pipeline.user === undefined ? {} : { user }),
    store,
    epoch: record.epoch,
  })
