/** Does what `planloom runs resume` asks: the workflow as it was, over the record of the run. */
import type { RunRecord, RunStore, StoreFailed } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { InputFlags } from "../commands/options.ts"
import type { Doing } from "../deferred.ts"
import { withDefinition } from "../project/withWorkflow.ts"
import { problem, type Refused } from "../Refused.ts"
import type { Showing } from "../run/runWorkflow.ts"
import { asRefused, definitionOfRun, goOn, mustBeIdle } from "./goOn.ts"
import { inputsAgain } from "./personalInputs.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface ResumeFlags extends Showing, InputFlags {
  readonly id: string
  readonly force: boolean
}

export const resumeRun: Doing<ResumeFlags> = (flags) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const record = yield* runNamed(store, flags.id)
      yield* mayGoOn(store, record, flags.force)
      const { epoch, run } = record
      const definition = yield* definitionOfRun(store, run)
      return yield* withDefinition(definition, (loaded) =>
        Effect.flatMap(inputsAgain(loaded, record, flags), (inputs) =>
          asRefused(goOn(store, loaded, { run, inputs, ...(flags.force ? {} : { epoch }) }, flags)),
        ),
      )
    }),
  )

const mayGoOn = (
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
        "wait for it, or take the run over with --force: the other one records nothing more",
      )
}
