/** Implements `planloom test`: finds test files, runs them one by one, reports their results. */
import type * as TestingModule from "@planloom/testing"
import type { TestFileReport } from "@planloom/testing"
import * as Effect from "effect/Effect"
import type { ReadingFlags, UserFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { pluginOptions } from "../project/pluginOptions.ts"
import { isTest, namedFiles } from "../project/projectFiles.ts"
import { quietConsole } from "../project/withWorkflow.ts"
import type { CassetteFlags } from "../run/withCassette.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { doing } from "../terminal/activity.ts"
import { print, say, stdout, textWidth } from "../terminal/Screen.ts"
import { testExamples } from "./testExamples.ts"
import { metricsGate, type MetricsFlags } from "./metricsGate.ts"

export interface TestFlags extends MetricsFlags, CassetteFlags, ReadingFlags, UserFlags {
  readonly paths: ReadonlyArray<string>
  readonly examples: boolean
  readonly reporter: "pretty" | "junit" | "json"
}

export const testFiles: Handler<TestFlags> = (flags) =>
  Effect.gen(function* () {
    if (flags.record !== undefined && flags.replay !== undefined) {
      return yield* usage("--record and --replay exclude each other")
    }
    if (flags.examples) {
      const { baseline, filter, metrics, reporter, update } = flags
      if (metrics || update || reporter !== "pretty" || (baseline ?? filter) !== undefined) {
        return yield* usage(
          "--examples combines only with --record, --replay, --set, --env and --flag",
        )
      }
      return yield* testExamples(flags)
    }
    if (flags.set.length + flags.flag.length > 0 || flags.env !== undefined) {
      return yield* usage(
        "--set, --env and --flag require --examples",
        "set them in the test file: given: { flags: { careful: true } }, set or env",
      )
    }
    return yield* testAll(yield* filesOf(flags.paths), flags)
  })

const testAll = Effect.fnUntraced(function* (files: ReadonlyArray<string>, flags: TestFlags) {
  yield* quietConsole
  const testing = yield* Effect.promise(() => import("@planloom/testing"))
  const gate = yield* metricsGate(testing, flags)
  const load = yield* pluginOptions
  const reports: Array<TestFileReport> = []
  let current: TestFileReport | undefined
  const tested = Effect.forEach(files, (file) =>
    Effect.map(
      testing.runWorkflowTest(file, {
        load,
        update: flags.update,
        onTested: (soFar) => {
          doing(`testing ${file}`)
          current = soFar
        },
        ...(flags.record === undefined ? {} : { record: flags.record }),
        ...(flags.replay === undefined ? {} : { replay: flags.replay }),
        ...(flags.filter === undefined ? {} : { filter: flags.filter }),
      }),
      (report) => {
        current = undefined
        reports.push(report)
      },
    ),
  )
  yield* Effect.onInterrupt(tested, () =>
    Effect.sync(() => printCancelled(testing, [...reports, ...(current ? [current] : [])], flags)),
  )
  const { broken, failed, passed } = testing.count(reports)
  if (passed + failed + broken === 0) {
    return yield* usage(`no test has "${flags.filter ?? ""}" in its name`)
  }
  const tally = testing.tallyOf(reports)
  const worse = gate.wanted ? yield* gate.judge(tally, failed + broken === 0) : []
  const replies = testing.replyMetrics(reports)
  const judgements = testing.judgementsIn(reports)
  const predictions = testing.predictionsIn(reports)
  const metrics = gate.wanted
    ? testing.metricsText(tally, worse) +
      testing.confidenceText(judgements) +
      testing.calibrationText(predictions) +
      testing.repliesText(replies)
    : ""
  const figures = gate.wanted
    ? {
        metrics: testing.planningMetrics(tally),
        confidence: testing.confidenceMetrics(judgements),
        calibration: testing.calibrationMetrics(predictions),
        replies,
      }
    : {}
  printReports(testing, reports, flags, figures)
  if (metrics !== "" && flags.reporter === "pretty") print(metrics)
  else if (metrics !== "" && (flags.reporter === "junit" || worse.length > 0)) say(metrics)
  for (const { diagnostics, file } of reports) {
    if (!isTest(file) && diagnostics.some(({ code }) => code === OTHER_KIND)) say(examplesOf(file))
  }
  // Files that cannot be tested take precedence over failed assertions.
  const hasFailed = failed + worse.length > 0
  return (broken > 0 ? "problems" : hasFailed ? "assertions" : "ok") as ExitName
})

type Testing = typeof TestingModule

const printReports = (
  testing: Testing,
  reports: ReadonlyArray<TestFileReport>,
  { reporter }: TestFlags,
  figures: Parameters<Testing["json"]>[1] = {},
): void => {
  switch (reporter) {
    case "pretty":
      return print(testing.pretty(reports, { color: stdout.style.color, width: textWidth(stdout) }))
    case "junit":
      return print(testing.junit(reports))
    case "json":
      return print(testing.json(reports, figures))
  }
}

/** Reports the tests that ended before the cancellation, because they may have cost money. */
const printCancelled = (
  testing: Testing,
  reports: ReadonlyArray<TestFileReport>,
  flags: TestFlags,
): void => {
  if (reports.length === 0) return say("cancelled before any test ended")
  printReports(testing, reports, flags)
  say("cancelled: the report contains only the tests that ended")
}

/** Code of the diagnostic for a file of an unexpected kind. */
const OTHER_KIND = "PL0111"

const examplesOf = (file: string): string =>
  `help: tests are files such as workflows/plan.test.yaml; --examples runs a workflow on its stages' examples: planloom test ${file} --examples`

const filesOf = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, Refused> =>
  Effect.flatMap(
    // A file named on the command line is run whatever its name.
    Effect.promise(async () =>
      (await namedFiles(paths)).filter((file) => isTest(file) || paths.includes(file)),
    ),
    (files) =>
      files.length === 0
        ? Effect.fail(
            problem("found no tests here", "tests are files such as workflows/plan.test.yaml"),
          )
        : Effect.succeed(files),
  )
