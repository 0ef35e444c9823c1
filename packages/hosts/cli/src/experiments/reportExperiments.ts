/** Implements `planloom experiments report`: compares the variants of experiments over recorded runs. */
import { reportExperiment } from "@planloom/hooks/report"
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withChecked } from "../project/withWorkflow.ts"
import { problem } from "../Refused.ts"
import { withRuns } from "../runs/withRuns.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { experimentsOf } from "./experimentsOf.ts"
import { readExposures } from "./readExposures.ts"
import { reportText } from "./reportText.ts"

export interface ReportExperimentsFlags extends ReadingFlags {
  readonly workflow: string
  readonly experiment: string | undefined
  readonly json: boolean
}

export const reportExperiments: Handler<ReportExperimentsFlags> = (flags) =>
  withChecked(flags.workflow, flags, (workflow) =>
    Effect.gen(function* () {
      const all = Object.entries(experimentsOf(workflow))
      const experiments = all.filter(
        ([name]) => flags.experiment === undefined || name === flags.experiment,
      )
      if (flags.experiment !== undefined && experiments.length === 0) {
        return yield* Effect.fail(
          problem(
            `there is no experiment "${flags.experiment}"`,
            all.length === 0
              ? undefined
              : `the experiments are: ${all.map(([name]) => name).join(", ")}`,
          ),
        )
      }
      const exposures = yield* withRuns((store) =>
        readExposures(store, workflow.definition.name, experiments),
      )
      const reports = experiments.map(([name, experiment]) => ({
        ...reportExperiment(name, experiment, exposures.get(name)!),
        unit: experiment.unit ?? "user",
      }))
      if (flags.json) print(JSON.stringify(reports, null, 2))
      else if (reports.length === 0) say(stderr.style.dim("no experiments found"))
      else {
        print(
          reports.map((report) => reportText(report, stdout.style, textWidth(stdout))).join("\n\n"),
        )
      }
      return "ok" as ExitName
    }),
  )
