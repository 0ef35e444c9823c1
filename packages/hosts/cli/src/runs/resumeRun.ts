/** Implements `planloom runs resume`: resumes a run with the workflow it started with. */
import type { RunRecord, RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { InputFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import { withDefinition } from "../project/withWorkflow.ts"
import { problem, type Refused } from "../Refused.ts"
import type { DisplayFlags } from "../run/runWorkflow.ts"
import { asRefused, definitionOfRun, resumeRecorded, mustBeIdle } from "./recordedRun.ts"
import { readPersonalInputs } from "./personalInputs.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface ResumeFlags extends DisplayFlags, InputFlags {
  readonly id: string
  readonly by: string | undefined
  readonly force: boolean
}

export const resumeRun: Handler<ResumeFlags> = (flags) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const record = yield* runNamed(store, flags.id)
      yield* mustBeResumable(store, record, flags.force)
      const { epoch, run } = record
      const definition = yield* definitionOfRun(store, run)
      return yield* withDefinition(definition, (loaded) =>
        asRefused(
          Effect.flatMap(readPersonalInputs(store, loaded, record, flags), (inputs) =>
            resumeRecorded(
              store,
              loaded,
              { run, inputs, ...(flags.force ? {} : { epoch }) },
              flags,
            ),
          ),
        ),
      )
    }),
  )

const mustBeResumable = (
  store: RunStore,
  record: RunRecord,
  force: boolean,
): Effect.Effect<void, Refused | StoreFailed> => {
  const { finishedAt, run, status } = record
  if (finishedAt !== undefined && status !== "cancelled") {
    return Effect.fail(
      problem(
        `the run has ended: ${status}`,
        status === "succeeded"
          ? `planloom runs reset ${run} --from <stage> runs a part of it again`
          : `planloom runs reset ${run} runs it again from the stage that failed`,
      ),
    )
  }
  return force
    ? Effect.void
    : mustBeIdle(
        store,
        record,
        "wait for it, or take the run over with --force; the other process then cannot record any more",
      )
}
