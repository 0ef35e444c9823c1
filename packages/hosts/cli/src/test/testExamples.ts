/** Implements `planloom test --examples`: runs a workflow on its own examples and compares the results. */
import { join } from "node:path"
import type { ConfidenceMetrics, ExampleOutcome, Judgement } from "@planloom/testing"
import * as Effect from "effect/Effect"
import type { ReadingFlags, UserFlags } from "../commands/options.ts"
import type { ExitName } from "../ExitCode.ts"
import { withLoaded } from "../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { readUser } from "../run/readUser.ts"
import { withCassette, type CassetteFlags } from "../run/withCassette.ts"
import { print, stdout, textWidth } from "../terminal/Screen.ts"
import { plural } from "../terminal/quantity.ts"
import { table } from "../terminal/table.ts"

export interface ExamplesFlags extends CassetteFlags, ReadingFlags, UserFlags {
  readonly paths: ReadonlyArray<string>
}

export const testExamples = (flags: ExamplesFlags): Effect.Effect<ExitName, Refused> => {
  const [workflow, ...more] = flags.paths
  if (workflow === undefined || more.length > 0) {
    return Effect.fail(usage("--examples takes one workflow"))
  }
  return withLoaded(workflow, flags, (loaded, path) =>
    Effect.gen(function* () {
      const testing = yield* Effect.promise(() => import("@planloom/testing"))
      const cases = testing.exampleCases(loaded.pipeline)
      if (cases.length === 0) {
        return yield* problem(
          `no stage of ${path} has examples`,
          "add them to a stage: examples: { file: ../examples/plan.yaml, user: … }",
        )
      }
      const forUser = yield* readUser(loaded, flags)
      const outcomes: Array<ExampleOutcome> = []
      for (const one of cases) {
        const within = (folder: string | undefined) =>
          folder === undefined ? undefined : join(folder, `${one.stage}_${one.number}`)
        outcomes.push(
          yield* withCassette(
            { record: within(flags.record), replay: within(flags.replay) },
            loaded,
            (cassette) => testing.runExample(one, loaded, { cassette, user: forUser }),
          ),
        )
      }
      const missed = outcomes.filter(({ misses }) => misses.length > 0).length
      const rows = cases.map(({ number, stage, user }, index) => [
        outcomes[index]!.misses.length === 0 ? "ok" : "miss",
        stage,
        String(number),
        user.replaceAll(/\s+/g, " "),
      ])
      print(
        table(
          [
            { head: "", align: "left" },
            { head: "stage", align: "left" },
            { head: "#", align: "right" },
            { head: "message", align: "left" },
          ],
          rows,
          textWidth(stdout),
          stdout.style.dim,
        ).join("\n"),
      )
      for (const [index, { misses }] of outcomes.entries()) {
        if (misses.length === 0) continue
        const { number, stage } = cases[index]!
        print(`\n${stage} ${number}\n${misses.map((line) => `  ${line}`).join("\n")}`)
      }
      print("")
      for (const stage of new Set(cases.map((one) => one.stage))) {
        const ofStage = outcomes.filter((_, index) => cases[index]!.stage === stage)
        print(`${stage}: ${summaryOf(ofStage, testing)}`)
      }
      print(`${plural(cases.length, "example")}, ${cases.length - missed} ok, ${missed} missed`)
      return missed > 0 ? "assertions" : "ok"
    }),
  )
}

type ConfidenceMetricsOf = (judgements: ReadonlyArray<Judgement>) => ConfidenceMetrics

/** Formats `5 of 6, confidence 0.94 (median), lowest 0.2, 6 without its model (local/big: auth: …)`. */
const summaryOf = (
  outcomes: ReadonlyArray<ExampleOutcome>,
  { confidenceMetrics }: { readonly confidenceMetrics: ConfidenceMetricsOf },
): string => {
  const good = outcomes.filter(({ misses }) => misses.length === 0).length
  const { lowest, median } = confidenceMetrics(outcomes.flatMap(({ judgements }) => judgements))
  const degraded = outcomes.flatMap((one) => one.degraded ?? [])
  return [
    `${good} of ${outcomes.length}`,
    ...(median === null ? [] : [`confidence ${median} (median), lowest ${lowest}`]),
    ...(degraded.length === 0
      ? []
      : [`${degraded.length} without its model (${[...new Set(degraded)].join("; ")})`]),
  ].join(", ")
}
