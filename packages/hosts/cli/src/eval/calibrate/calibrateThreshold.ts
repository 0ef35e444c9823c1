/** Implements `planloom eval calibrate`: proposes a threshold for the confidence of a stage from recorded runs. */
import { compileExpression } from "@planloom/expression"
import type { RunStore, StoreFailed } from "@planloom/plugin/effect"
import type { ExpectationJudge, RecordedResult } from "@planloom/testing"
import * as Effect from "effect/Effect"
import type { Handler } from "../../deferred.ts"
import type { ExitName } from "../../ExitCode.ts"
import { loadOptions } from "../../project/loadOptions.ts"
import { suggestion } from "../../project/nearest.ts"
import { printProblems, quietConsole } from "../../project/withWorkflow.ts"
import { problem, usage, type Refused } from "../../Refused.ts"
import { timeFlag } from "../../runs/timeFlags.ts"
import { withRuns } from "../../runs/withRuns.ts"
import { print, say, stderr, stdout, textWidth } from "../../terminal/Screen.ts"
import { oneLine } from "../../terminal/text.ts"
import { calibrationTable, proposalText } from "./calibrationText.ts"
import { readRuns, truthSources, type Judges, type StageRun, type TruthSource } from "./readRuns.ts"

export interface CalibrateFlags {
  readonly workflow: string
  readonly threshold: "confidence"
  readonly stage: string | undefined
  readonly maxWrong: number
  readonly right: string | undefined
  readonly expect: string | undefined
  readonly since: string | undefined
  readonly json: boolean
}

export const calibrateThreshold: Handler<CalibrateFlags> = (flags) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { expect, json, maxWrong, right, workflow } = flags
      if (!(maxWrong > 0 && maxWrong < 1)) {
        return yield* usage("--max-wrong is a share between 0 and 1", "--max-wrong 0.05")
      }
      const since = yield* timeFlag("--since", flags.since, Date.now())
      const expression = yield* judgeOf(right)
      const evaluation = expect === undefined ? undefined : yield* evaluationOf(expect, workflow)
      if (evaluation !== undefined && evaluation.judge === undefined) {
        return yield* printProblems(evaluation)
      }
      const all = yield* withRuns((store) =>
        Effect.gen(function* () {
          const judges: Judges = {
            expression,
            evaluation: evaluation?.judge,
            reviews: yield* decidedReviews(store),
          }
          const filter = { workflow, ...(since === undefined ? {} : { since }) }
          return yield* readRuns(store, filter, judges)
        }),
      )
      const { runs, stage } = yield* runsOfStage(all, flags)
      warnOfSilence(runs, flags)
      const testing = yield* Effect.promise(() => import("@planloom/testing"))
      const recorded = [...new Set(runs.map(({ threshold }) => threshold))].toSorted(
        (a, b) => a - b,
      )
      const rows = testing.thresholdRows(runs, recorded)
      const proposed = testing.proposedThreshold(rows, maxWrong)
      const calibration = {
        threshold: flags.threshold,
        workflow,
        stage,
        runs: runs.length,
        judged: runs.filter((one) => one.right !== undefined).length,
        sources: Object.fromEntries(
          truthSources.map((source) => [
            source,
            runs.filter(({ sources }) => sources.includes(source)).length,
          ]),
        ),
        recorded,
        max_wrong: maxWrong,
        rows,
        proposed: proposed ?? null,
      }
      if (json) print(JSON.stringify(calibration, null, 2))
      else print(calibrationTable(calibration, stdout.style, textWidth(stdout)))
      if (proposed === undefined) {
        return yield* problem(...proposalText(calibration, testing.leastRuns(maxWrong)))
      }
      if (!json) say(stderr.style.good(proposalText(calibration, 0)[0]))
      return "ok" as ExitName
    }),
  )

/** Refuses judges named by a person that judge no run. */
const warnOfSilence = (
  runs: ReadonlyArray<StageRun>,
  { expect, right }: Pick<CalibrateFlags, "expect" | "right">,
): void => {
  const isSilent = (source: TruthSource) => !runs.some(({ sources }) => sources.includes(source))
  if (right !== undefined && isSilent("expression")) {
    say(stderr.style.warn(`--right is true or false for no run that answered: ${oneLine(right)}`))
  }
  if (expect !== undefined && isSilent("evaluation")) {
    say(stderr.style.warn(`no run has the inputs of a case of ${expect}`))
  }
}

/** A failure to evaluate, such as an output that a failed run does not have, says nothing. */
const judgeOf = (source: string | undefined): Effect.Effect<Judges["expression"], Refused> =>
  Effect.try({
    try: () => {
      if (source === undefined) return undefined
      const { evaluate } = compileExpression(source)
      return ({ inputs, result: { outputs, status } }: RecordedResult) => {
        try {
          const value = evaluate({ inputs, outputs, status })
          return typeof value === "boolean" ? value : undefined
        } catch {
          return undefined
        }
      }
    },
    catch: (error) =>
      usage(`--right is no expression: ${(error as Error).message}`, "--right 'outputs.accepted'"),
  })

const evaluationOf = Effect.fnUntraced(function* (file: string, workflow: string) {
  yield* quietConsole
  const load = yield* loadOptions({ set: [], env: undefined, flag: [] })
  const testing = yield* Effect.promise(() => import("@planloom/testing"))
  const judge: ExpectationJudge = yield* testing.expectationJudge(file, { load })
  if (judge.of !== undefined && judge.of !== workflow) {
    return yield* usage(`${file} is an evaluation of "${judge.of}", not of "${workflow}"`)
  }
  return judge.readsPrompts
    ? yield* usage(
        `${file} reads prompts, which are not recorded`,
        "expect outputs, stages or calls",
      )
    : judge
})

/** A store without collections has no queue. */
const decidedReviews = (store: RunStore): Effect.Effect<Judges["reviews"], StoreFailed> =>
  Effect.gen(function* () {
    const { REVIEWS, ReviewQueue } = yield* Effect.promise(() => import("@planloom/shadow/queue"))
    const entries = store.collection?.(REVIEWS)
    return entries === undefined ? [] : yield* new ReviewQueue(entries).list("decided")
  })

/** The only stage unless one is named. */
const runsOfStage = (
  all: ReadonlyArray<StageRun>,
  { stage: wanted, workflow }: CalibrateFlags,
): Effect.Effect<{ readonly stage: string; readonly runs: ReadonlyArray<StageRun> }, Refused> => {
  const names = [...new Set(all.map(({ stage }) => stage))]
  const stage = wanted ?? (names.length === 1 ? names[0] : undefined)
  if (names.length === 0) {
    return Effect.fail(
      problem(
        `no recorded run of "${oneLine(workflow)}" has a stage with a confidence`,
        "list the runs: planloom runs list",
      ),
    )
  }
  if (stage === undefined) {
    return Effect.fail(
      usage(
        "several stages have a confidence: choose one",
        names.map((name) => `--stage ${name}`).join("\n"),
      ),
    )
  }
  return names.includes(stage)
    ? Effect.succeed({ stage, runs: all.filter((one) => one.stage === stage) })
    : Effect.fail(usage(`no run has a confidence of "${oneLine(stage)}"`, suggestion(stage, names)))
}
