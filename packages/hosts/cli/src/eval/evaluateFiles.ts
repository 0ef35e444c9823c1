/** Implements `planloom eval`: finds evaluations, runs them one after another, reports their results. */
import type * as TestingModule from "@planloom/testing"
import type { EvaluationReport } from "@planloom/testing"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { loadOptions } from "../project/loadOptions.ts"
import { isEvaluation, namedFiles } from "../project/projectFiles.ts"
import { suggestion } from "../project/nearest.ts"
import { quietConsole } from "../project/withWorkflow.ts"
import { writeText } from "../project/writeText.ts"
import type { CassetteFlags } from "../run/withCassette.ts"
import { problem, usage, type Refused } from "../Refused.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { styleOf } from "../terminal/Style.ts"
import { openBaseline, type BaselineFlags } from "./baseline.ts"
import { evaluationText } from "./evaluationText.ts"
import { ProgressLine } from "./ProgressLine.ts"
import { runLines } from "./runLines.ts"

export interface EvaluateFlags extends ReadingFlags, CassetteFlags, BaselineFlags {
  readonly paths: ReadonlyArray<string>
  readonly variant: ReadonlyArray<string>
  readonly repeat: number | undefined
  readonly concurrency: number | undefined
  readonly maxCost: number | undefined
  readonly limit: number
  readonly reporter: Reporter
  readonly json: boolean
  readonly out: ReadonlyArray<string>
}

type Reporter = "pretty" | "json" | "junit"

export const evaluateFiles: Handler<EvaluateFlags> = (flags) =>
  // An interrupt reaches only the runs: the results so far are still reported.
  Effect.uninterruptible(
    Effect.gen(function* () {
      yield* refuseFlags(flags)
      yield* quietConsole
      const files = yield* filesOf(flags.paths)
      yield* refuseUnknownVariants(files, flags.variant)
      const load = yield* loadOptions(flags)
      const testing = yield* Effect.promise(() => import("@planloom/testing"))
      yield* refuseSameNames(testing, files, flags)
      const baseline = yield* openBaseline(testing, files, flags)
      const lines = yield* runLines(flags.out.filter((path) => path.endsWith(".jsonl")))
      const view = stderr.live ? new ProgressLine(stderr, Date.now) : undefined
      const reports: Array<EvaluationReport> = []
      let interrupted = false
      for (const file of files) {
        const exit = yield* Effect.exit(
          testing.runEvaluation(file, {
            load,
            limit: Math.max(0, flags.limit),
            ...given("filter", flags.filter),
            ...given("variants", flags.variant.length === 0 ? undefined : flags.variant),
            ...given("repeat", flags.repeat),
            ...given("concurrency", flags.concurrency),
            ...given("record", flags.record),
            ...given("replay", flags.replay),
            ...given("maxCost", remainingCost(flags.maxCost, reports)),
            ...given("baselines", baseline.figures),
            onProgress: (progress, ended) => {
              view?.show(file, progress)
              if (ended !== undefined) lines.write(file, ended)
            },
          }),
        )
        view?.clear()
        if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
          return yield* Effect.failCause(exit.cause)
        }
        if (Exit.isSuccess(exit)) reports.push(exit.value)
        interrupted = Exit.isFailure(exit) || exit.value.partial === "interrupted"
        if (interrupted || reports.at(-1)?.partial !== undefined) break
      }
      yield* lines.close
      if (
        reports.length > 0 &&
        reports.every(({ planned, skipped }) => planned === 0 && skipped > 0)
      ) {
        return yield* usage(`no case has "${flags.filter ?? ""}" in its name`)
      }
      const text = (reporter: Reporter, pretty: { color: boolean; width: number }): string =>
        reporter === "json"
          ? testing.evaluationJson(reports)
          : reporter === "junit"
            ? testing.evaluationJunit(reports)
            : evaluationText(reports, {
                style: styleOf(pretty.color),
                width: pretty.width,
                baselines: baseline.figures,
              })
      if (reports.length > 0) {
        print(
          text(flags.json ? "json" : flags.reporter, {
            color: stdout.style.color,
            width: textWidth(stdout),
          }),
        )
        for (const path of flags.out) {
          const reporter = reporters[endingOf(path)]
          if (reporter !== undefined) {
            yield* writeText(text(reporter, { color: false, width: Infinity }), path)
          }
        }
      }
      if (interrupted) {
        say(stderr.style.warn("cancelled"))
        return "interrupted"
      }
      const exit = exitOf(reports)
      if (exit === "ok") yield* baseline.keep(reports)
      return exit
    }),
  )

const given = <K extends string, A>(key: K, value: A | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [key in K]?: A }

/** Problems of files take precedence over failed gates. */
const exitOf = (reports: ReadonlyArray<EvaluationReport>): ExitName => {
  const hasProblems = reports.some(
    ({ diagnostics, problems }) =>
      problems.length > 0 || diagnostics.some(({ severity }) => severity === "error"),
  )
  if (hasProblems) return "problems"
  if (reports.some(({ partial }) => partial !== undefined)) return "failed"
  const hasFailedGate = reports.some(({ gates }) => gates.some(({ holds }) => holds === false))
  return hasFailedGate ? "assertions" : "ok"
}

/** What the earlier evaluations have left of --max-cost, in US dollars. */
const remainingCost = (
  maxCost: number | undefined,
  reports: ReadonlyArray<EvaluationReport>,
): number | undefined => {
  if (maxCost === undefined) return undefined
  const spent = reports.flatMap(({ variants }) => Object.values(variants).map(({ cost }) => cost))
  return Math.max(0, maxCost - spent.reduce((sum, cost) => sum + cost, 0))
}

/** Reporter of an --out file by its extension; `.jsonl` receives the runs. */
const reporters: { readonly [ending: string]: Reporter | undefined } = {
  json: "json",
  xml: "junit",
  txt: "pretty",
}

const endingOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1)

const refuseFlags = (flags: EvaluateFlags): Effect.Effect<void, Refused> => {
  const { concurrency = 1, maxCost = 1, out, record, repeat = 1, replay } = flags
  if (record !== undefined && replay !== undefined) {
    return Effect.fail(usage("--record and --replay exclude each other"))
  }
  if (repeat < 1) return Effect.fail(usage("--repeat must be at least 1"))
  if (concurrency < 1) return Effect.fail(usage("--concurrency must be at least 1"))
  if (maxCost <= 0) return Effect.fail(usage("--max-cost must be more than 0"))
  const unsupported = out.find((path) => !["json", "jsonl", "txt", "xml"].includes(endingOf(path)))
  return unsupported === undefined
    ? Effect.void
    : Effect.fail(usage(`--out writes .json, .xml, .txt and .jsonl, not ${unsupported}`))
}

const refuseUnknownVariants = Effect.fnUntraced(function* (
  files: ReadonlyArray<string>,
  wanted: ReadonlyArray<string>,
) {
  if (wanted.length === 0) return
  const { readEvaluation } = yield* Effect.promise(() => import("@planloom/testing"))
  for (const file of files) {
    const { evaluation } = yield* readEvaluation(file)
    const names = Object.keys(evaluation?.variants ?? {})
    const unknown = wanted.find((name) => !names.includes(name))
    if (evaluation === undefined || unknown === undefined) continue
    return yield* usage(
      `${file} has no variant "${unknown}"`,
      names.length === 0 ? "it declares none" : suggestion(unknown, names),
    )
  }
})

/** Rejects two evaluations of one name, because baselines and recordings are stored by name. */
const refuseSameNames = (
  { evaluationName }: typeof TestingModule,
  files: ReadonlyArray<string>,
  { baseline, record, replay }: EvaluateFlags,
): Effect.Effect<void, Refused> => {
  if ((baseline ?? record ?? replay) === undefined) return Effect.void
  const names = files.map(evaluationName)
  const at = names.findIndex((name, index) => names.indexOf(name) !== index)
  return at < 0
    ? Effect.void
    : Effect.fail(
        usage(
          `two evaluations have the name "${names[at]}": ${files[names.indexOf(names[at]!)]} and ${files[at]}`,
          "baselines and recordings are stored by name; pass only one of the files, or rename one",
        ),
      )
}

const filesOf = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, Refused> =>
  Effect.flatMap(
    // A file named on the command line is run whatever its name.
    Effect.promise(async () =>
      (await namedFiles(paths)).filter((file) => isEvaluation(file) || paths.includes(file)),
    ),
    (files) =>
      files.length === 0
        ? Effect.fail(
            problem(
              "found no evaluations here",
              "evaluations are files such as workflows/plan.eval.yaml",
            ),
          )
        : Effect.succeed(files),
  )
