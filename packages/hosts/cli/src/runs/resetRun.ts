/** Implements `planloom runs reset`: resets a run to a stage and resumes it. */
import type { RunRecord } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { InputFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import { suggestion } from "../project/nearest.ts"
import { withDefinition } from "../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import type { DisplayFlags } from "../run/runWorkflow.ts"
import { say, stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { asRefused, definitionOfRun, resumeRecorded, mustBeIdle } from "./recordedRun.ts"
import { readPersonalInputs } from "./personalInputs.ts"
import { readUser } from "../run/readUser.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface ResetFlags extends DisplayFlags, InputFlags {
  readonly id: string
  readonly by: string | undefined
  readonly from: string | undefined
}

export const resetRun: Handler<ResetFlags> = (flags) =>
  withRuns((store) =>
    Effect.gen(function* () {
      const record = yield* runNamed(store, flags.id)
      const { run } = record
      yield* mustBeIdle(store, record)
      if (flags.from === undefined) yield* mustHaveFailed(record)
      const definition = yield* definitionOfRun(store, run)
      return yield* withDefinition(definition, (loaded) =>
        asRefused(
          Effect.gen(function* () {
            const inputs = yield* readPersonalInputs(store, loaded, record, flags)
            yield* readUser(loaded, flags, record)
            const { resetFrom } = yield* Effect.promise(() => import("@planloom/record/reset"))
            const from = yield* Effect.catchTag(
              resetFrom(store, loaded.pipeline, run, flags.from),
              "StageUnknown",
              (unknown) => Effect.fail(unknownStage(unknown)),
            )
            if (!flags.quiet && !flags.json) {
              say(stderr.style.dim(`reset${from === undefined ? "" : ` to ${oneLine(from)}`}`))
            }
            return yield* resumeRecorded(store, loaded, { run, inputs }, flags, true)
          }),
        ),
      )
    }),
  )

const mustHaveFailed = ({ run, status }: RunRecord): Effect.Effect<void, Refused> => {
  switch (status) {
    case "failed":
    case "clarification":
      return Effect.void
    case "succeeded":
      return Effect.fail(
        usage("the run succeeded: name the stage to reset it to", "--from <stage>"),
      )
    default:
      return Effect.fail(
        problem(
          `the run has not failed: ${status === "running" ? "it was killed" : `it is ${status}`}`,
          `resume it: planloom runs resume ${run}, or reset it to a stage: --from <stage>`,
        ),
      )
  }
}

/** Refusal of a path that the run has no stage at; suggests a similar one. */
export const unknownStage = ({
  from,
  known,
}: {
  readonly from: string
  readonly known: ReadonlyArray<string>
}): Refused =>
  usage(
    `the run has no stage "${oneLine(from)}"`,
    suggestion(from, known) ?? "no stage of it has started",
  )
