/** Implements `planloom experiments list`: prints the experiments of a workflow. */
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withChecked } from "../project/withWorkflow.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { experimentsOf } from "./experimentsOf.ts"

export interface ListExperimentsFlags extends ReadingFlags {
  readonly workflow: string
  readonly json: boolean
}

export const listExperiments: Handler<ListExperimentsFlags> = (flags) =>
  withChecked(flags.workflow, flags, (workflow) =>
    Effect.sync((): ExitName => {
      const experiments = Object.entries(experimentsOf(workflow))
      if (flags.json) {
        print(
          JSON.stringify(
            experiments.map(([id, one]) => ({ id, ...one })),
            null,
            2,
          ),
        )
      } else if (experiments.length === 0) say(stderr.style.dim("no experiments found"))
      else {
        const { style } = stdout
        const lines = table(
          [
            { head: "experiment", align: "left", paint: style.name },
            { head: "unit", align: "left" },
            { head: "ramp", align: "right" },
            { head: "variants", align: "left" },
            { head: "outcome", align: "left" },
          ],
          experiments.map(([id, { outcome = "", ramp = "100%", unit = "user", variants }]) => [
            id,
            unit,
            ramp,
            Object.entries(variants)
              .map(([variant, share]) => `${variant} ${share} %`)
              .join(", "),
            oneLine(outcome),
          ]),
          textWidth(stdout),
          style.dim,
        )
        print(lines.join("\n"))
      }
      return "ok"
    }),
  )
