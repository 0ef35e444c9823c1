/** Does what `planloom test` asks: finds the tests, runs them file by file, reports. */
import type * as TestingModule from "@planloom/testing"
import type { TestFileReport } from "@planloom/testing"
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { Doing } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { pluginOptions } from "../project/pluginOptions.ts"
import { isTest, namedFiles } from "../project/projectFiles.ts"
import { quietConsole } from "../project/withWorkflow.ts"
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
    return yield* testAll(yield* filesOf(flags.paths), flags)
  })

const testAll = Effect.fnUntraced(function* (files: ReadonlyArray<string>, flags: TestFlags) {
  yield* quietConsole
  const testing = yield* Effect.promise(() => import("@planloom/testing"))
  const gate = yield* metricsGate(testing, flags)
  const load = yield* pluginOptions
  const reports: Array<TestFileReport> = []
  let begun: TestFileReport | undefined
  const tested = Effect.forEach(files, (file) =>
    Effect.map(
      testing.runWorkflowTest(file, {
        load,
        update: flags.update,
        onTested: (soFar) => (begun = soFar),
        ...(flags.record === undefined ? {} : { record: flags.record }),
        ...(flags.replay === undefined ? {} : { replay: flags.replay }),
        ...(flags.filter === undefined ? {} : { filter: flags.filter }),
      }),
      (report) => {
        begun = undefined
        reports.push(report)
      },
    ),
  )
  yield* Effect.onInterrupt(tested, () =>
    Effect.sync(() => tellCancelled(testing, [...reports, ...(begun ? [begun] : [])], flags)),
  )
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
  const figures = gate.wanted
    ? {
        metrics: testing.planningMetrics(tally),
        confidence: testing.confidenceMetrics(judgements),
        replies,
      }
    : {}
  tell(testing, reports, flags, figures)
  if (metrics !== "" && flags.reporter === "pretty") print(metrics)
  else if (metrics !== "" && (flags.reporter === "junit" || worse.length > 0)) say(metrics)
  for (const { diagnostics, file } of reports) {
    if (!isTest(file) && diagnostics.some(({ code }) => code === OTHER_KIND)) say(examplesOf(file))
  }
  // A file that cannot be tested is the user's to mend; that goes before what could be judged.
  const fell = failed + worse.length > 0
  return (broken > 0 ? "problems" : fell ? "assertions" : "ok") as ExitName
})

type Testing = typeof TestingModule

const tell = (
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

/** The tests that have ended may have cost money: they are told, and that they are not all. */
const tellCancelled = (
  testing: Testing,
  reports: ReadonlyArray<TestFileReport>,
  flags: TestFlags,
): void => {
  if (reports.length === 0) return say("cancelled before a test had ended")
  tell(testing, reports, flags)
  say("cancelled: these are the tests that had ended, the others were not run")
}

/** The code of a file that is of another kind than it should be. */
const OTHER_KIND = "PL0111"

const examplesOf = (file: string): string =>
  `help: tests are files such as workflows/plan.test.yaml; --examples runs a workflow on its stages' examples: planloom test ${file} --examples`

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
