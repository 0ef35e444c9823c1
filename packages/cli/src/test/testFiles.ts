/** Does what `planloom test` asks: finds the tests, runs them file by file, reports. */
import type { TestFileReport } from "@planloom/testing"
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { bundledPlugins } from "../project/bundledPlugins.ts"
import { isTest, namedFiles } from "../project/projectFiles.ts"
import type { CassetteFlags } from "../run/withCassette.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { print, say, stdout, textWidth } from "../terminal/Screen.ts"
import { testExamples } from "./testExamples.ts"
import { metricsGate, type MetricsFlags } from "./metricsGate.ts"

export interface TestFlags extends MetricsFlags, CassetteFlags, ReadingFlags {
  readonly paths: ReadonlyArray<string>
  readonly examples: boolean
  readonly reporter: "pretty" | "junit" | "json"
}

export const testFiles: Doing<TestFlags> = (flags) =>
  Effect.gen(function* () {
    if (flags.record !== undefined && flags.replay !== undefined) {
      return yield* usage("--record and --replay exclude each other")
    }
    if (flags.examples) {
      const { baseline, filter, metrics, reporter, update } = flags
      if (metrics || update || reporter !== "pretty" || (baseline ?? filter) !== undefined) {
        return yield* usage(
          "--examples goes with --record, --replay, --set, --env and --flag alone",
        )
      }
      return yield* testExamples(flags)
    }
    if (flags.set.length + flags.flag.length > 0 || flags.env !== undefined) {
      return yield* usage(
        "--set, --env and --flag go with --examples",
        "a test says it itself: given: { flags: { careful: true } }, set or env",
      )
    }
    const files = yield* filesOf(flags.paths)
    const testing = yield* Effect.promise(() => import("@planloom/testing"))
    const gate = yield* metricsGate(testing, flags)
    const reports: Array<TestFileReport> = []
    for (const file of files) {
      reports.push(
        yield* testing.runWorkflowTest(file, {
          load: { plugins: bundledPlugins },
          update: flags.update,
          ...(flags.record === undefined ? {} : { record: flags.record }),
          ...(flags.replay === undefined ? {} : { replay: flags.replay }),
          ...(flags.filter === undefined ? {} : { filter: flags.filter }),
        }),
      )
    }
    const { broken, failed, passed } = testing.count(reports)
    if (passed + failed + broken === 0) {
      return yield* usage(`no test has "${flags.filter ?? ""}" in its name`)
    }
    const tally = testing.tallyOf(reports)
    const worse = gate.wanted ? yield* gate.judge(tally, failed + broken === 0) : []
    const replies = testing.replyMetrics(reports)
    const judgements = testing.judgementsIn(reports)
    const metrics = gate.wanted
      ? testing.metricsText(tally, worse) +
        testing.confidenceText(judgements) +
        testing.repliesText(replies)
      : ""
    switch (flags.reporter) {
      case "pretty":
        print(testing.pretty(reports, { color: stdout.style.color, width: textWidth(stdout) }))
        if (gate.wanted) print(metrics)
        break
      case "junit":
        print(testing.junit(reports))
        if (gate.wanted) say(metrics)
        break
      case "json":
        print(
          testing.json(
            reports,
            gate.wanted
              ? {
                  metrics: testing.planningMetrics(tally),
                  confidence: testing.confidenceMetrics(judgements),
                  replies,
                }
              : {},
          ),
        )
        if (worse.length > 0) say(metrics)
    }
    // A file that cannot be tested is the user's to mend; that goes before what could be judged.
    const fell = failed + worse.length > 0
    return (broken > 0 ? "problems" : fell ? "assertions" : "ok") as ExitName
  }).pipe(
    Effect.onInterrupt(() =>
      Effect.sync(() => say("cancelled; the tests so far are not reported")),
    ),
  )

const filesOf = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, Refused> =>
  Effect.flatMap(
    // What is named outright is run whatever it is called.
    Effect.promise(async () =>
      (await namedFiles(paths)).filter((file) => isTest(file) || paths.includes(file)),
    ),
    (files) =>
      files.length === 0
        ? Effect.fail(
            problem("there are no tests here", "a test is a file such as workflows/plan.test.yaml"),
          )
        : Effect.succeed(files),
  )
