/** Compares the metrics of the tests' plans with a baseline file, or writes the file. */
import type * as TestingModule from "@planloom/testing"
import type { Baseline, PlanningTally, Regression } from "@planloom/testing"
import * as Effect from "effect/Effect"
import { readText } from "../project/readText.ts"
import { writeText } from "../project/writeText.ts"
import { problem, usage, type Refused } from "../Refused.ts"

type Testing = typeof TestingModule

export interface MetricsFlags {
  readonly metrics: boolean
  readonly baseline: string | undefined
  readonly update: boolean
  readonly filter: string | undefined
}

export interface MetricsGate {
  readonly wanted: boolean
  /** Returns the metrics that are worse than the baseline. With `--update` it writes the baseline instead. */
  readonly judge: (
    tally: PlanningTally,
    green: boolean,
  ) => Effect.Effect<ReadonlyArray<Regression>, Refused>
}

const baselineIn = (testing: Testing, path: string): Effect.Effect<Baseline, Refused> =>
  Effect.flatMap(readText(path), (text) => {
    const baseline = testing.readBaseline(text)
    return typeof baseline === "string"
      ? Effect.fail(
          problem(`${path} is not a baseline: ${baseline}`, "rewrite it: planloom test --update"),
        )
      : Effect.succeed(baseline)
  })

/** Reads the baseline before the tests run, so that an invalid one is reported first. */
export const metricsGate = Effect.fnUntraced(function* (testing: Testing, flags: MetricsFlags) {
  const { baseline: path, filter, metrics, update } = flags
  if (path !== undefined && filter !== undefined) {
    return yield* usage("--filter and --baseline exclude each other: a baseline covers all tests")
  }
  const baseline = path === undefined || update ? {} : yield* baselineIn(testing, path)
  const gate: MetricsGate = {
    wanted: metrics || path !== undefined,
    judge: (tally, green) => {
      const measured = testing.planningMetrics(tally)
      if (!update || path === undefined) {
        return Effect.succeed(testing.regressions(measured, baseline))
      }
      // Metrics of failing tests are not written to the baseline.
      return green
        ? Effect.as(writeText(testing.baselineText(measured), path), [])
        : Effect.succeed([])
    },
  }
  return gate
})
