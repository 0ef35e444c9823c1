/** Metrics of the tests' plans held against a baseline file, or written to it. */
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
  /** What is worse than the baseline. With `--update` the baseline is written instead. */
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
          problem(`${path} is no baseline: ${baseline}`, "planloom test --update writes it anew"),
        )
      : Effect.succeed(baseline)
  })

/** Reads the baseline, so that a wrong one is told before the tests are waited for. */
export const metricsGate = Effect.fnUntraced(function* (testing: Testing, flags: MetricsFlags) {
  const { baseline: path, filter, metrics, update } = flags
  if (path !== undefined && filter !== undefined) {
    return yield* usage("a baseline is about all tests, so --filter cannot be given with it")
  }
  const baseline = path === undefined || update ? {} : yield* baselineIn(testing, path)
  const gate: MetricsGate = {
    wanted: metrics || path !== undefined,
    judge: (tally, green) => {
      const measured = testing.planningMetrics(tally)
      if (!update || path === undefined) {
        return Effect.succeed(testing.regressions(measured, baseline))
      }
      // What failing tests came to is nothing to hold anyone to.
      return green
        ? Effect.as(writeText(testing.baselineText(measured), path), [])
        : Effect.succeed([])
    },
  }
  return gate
})
