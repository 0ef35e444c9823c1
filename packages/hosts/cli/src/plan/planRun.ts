/** Implements `planloom plan`: a dry run with the maximum calls, tokens and cost. */
import * as Effect from "effect/Effect"
import type { InputFlags, ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withChecked } from "../project/withWorkflow.ts"
import { usage } from "../Refused.ts"
import { readInputs } from "../run/inputs.ts"
import { readUser } from "../run/readUser.ts"
import { print, say, stdout, textWidth } from "../terminal/Screen.ts"
import { money } from "../terminal/quantity.ts"
import { costGate } from "./costGate.ts"
import { planJson } from "./planJson.ts"
import { planText } from "./planText.ts"

export interface PlanFlags extends InputFlags, ReadingFlags {
  readonly workflow: string
  readonly json: boolean
  readonly maxCost: number | undefined
}

export const planRun: Handler<PlanFlags> = (flags) =>
  withChecked(flags.workflow, flags, ({ definition, pipeline }) =>
    Effect.gen(function* () {
      const { maxCost } = flags
      if (maxCost !== undefined && maxCost < 0)
        return yield* usage("--max-cost must not be negative")
      const given = yield* readInputs(definition.name, definition.inputs, flags)
      const inputs = { ...pipeline.inputs.defaults, ...given }
      const [issue] = pipeline.inputs.validate(inputs)
      if (issue !== undefined)
        return yield* usage(`the input ${issue.path.slice(1)} ${issue.message}`)
      const user = flags.userText === undefined ? {} : yield* readUser({ pipeline }, flags)
      const { estimateRun } = yield* Effect.promise(() => import("@planloom/estimate"))
      const estimated = yield* estimateRun(pipeline, {
        inputs,
        // A value of a user that is not given is open, as a stage's result is.
        user: user ?? {},
        stages: {},
        run: { id: "" },
      })
      print(
        flags.json
          ? planJson(pipeline, estimated)
          : planText(pipeline, estimated, stdout.style, textWidth(stdout)),
      )
      const reason = maxCost === undefined ? undefined : costGate(pipeline, estimated, maxCost)
      if (reason === undefined) return "ok" as ExitName
      say(`--max-cost ${money(maxCost!)} does not hold: ${reason}`)
      return "assertions" as ExitName
    }),
  )
