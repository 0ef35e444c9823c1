/** Does what `planloom runs retry` asks: the same run again from a stage on. */
import type { RunRecord } from "@planloom/plugin"
import * as Effect from "effect/Effect"
import type { InputFlags } from "../commands/options.ts"
import type { Doing } from "../deferred.ts"
import { suggestion } from "../project/nearest.ts"
import { withDefinition } from "../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import type { Showing } from "../run/runWorkflow.ts"
import { say, stderr } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { asRefused, definitionOfRun, goOn, mustBeIdle } from "./goOn.ts"
import { inputsAgain } from "./personalInputs.ts"
import { runNamed, withRuns } from "./withRuns.ts"

export interface RetryFlags extends Showing, InputFlags {
  readonly id: string
  readonly from: string | undefined
}

export const retryRun: Doing<RetryFlags> = (flags) =>
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
            const inputs = yield* inputsAgain(loaded, record, flags)
            const { retryFrom } = yield* Effect.promise(() => import("@planloom/record/reset"))
            const from = yield* Effect.catchTag(
              retryFrom(store, loaded.pipeline, run, flags.from),
              "StageUnknown",
              (unknown) => Effect.fail(noSuchStage(unknown)),
            )
            if (!flags.quiet && !flags.json) {
              say(stderr.style.dim(`again${from === undefined ? "" : ` from ${oneLine(from)}`}`))
            }
            return yield* goOn(store, loaded, { run, inputs }, flags, true)
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
        usage("the run has succeeded: say which stage to do again", "--from <stage>"),
      )
    default:
      return Effect.fail(
        problem(
          `the run has not failed: ${status === "running" ? "it was killed" : `it is ${status}`}`,
          `go on with it: planloom runs resume ${run}, or do a part of it again with --from <stage>`,
        ),
      )
  }
}

/** A stage is named by its path; a long list is cut. */
export const noSuchStage = ({
  from,
  known,
}: {
  readonly from: string
  readonly known: ReadonlyArray<string>
}): Refused =>
  usage(
    `the run has done no stage "${oneLine(from)}"`,
    suggestion(from, known) ?? "it has done none at all",
  )
