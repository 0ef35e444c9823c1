/** An evaluation's file → its figures: every case, in every variant, as often as it says. */
import { join } from "node:path"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { beside } from "@planloom/language"
import type { LoadedWorkflow, RunResult } from "@planloom/core"
import { MemoryBudgetLedger, memoryJournal } from "@planloom/core"
import { ScriptedAnswers } from "../double/ScriptedAnswers.ts"
import { hermeticRun } from "../workflow/hermeticRun.ts"
import { pastOf } from "../workflow/pastOf.ts"
import { withStubs } from "../workflow/withDoubles.ts"
import { EvaluationCassettes } from "./EvaluationCassettes.ts"
import type { EvaluationReport } from "./EvaluationReport.ts"
import type { EvaluationBaselines } from "./Baseline.ts"
import { runJudge } from "./judgeRun.ts"
import { prepareEvaluation, type PreparationOptions, type Prepared } from "./prepareEvaluation.ts"
import { Results, type EndedRun, type EvaluationProgress } from "./Results.ts"
import { RunBudget } from "./RunBudget.ts"
import { unpricedModels } from "./unpricedModels.ts"
import { recordCassette, replayCassette } from "../cassette/cassettes.ts"
import type { EvaluationCase } from "../file/Evaluation.ts"

export interface EvaluationOptions extends PreparationOptions {
  /** Runs of each case, instead of what the file says. */
  readonly repeat?: number
  readonly concurrency?: number
  /** Folder to record every call into. */
  readonly record?: string
  /** Folder to answer every call from. */
  readonly replay?: string
  /** US dollars for all runs together; where they are spent, it ends. */
  readonly maxCost?: number
  /** What gates compare with, by the evaluation's name. Without it those that read it are not judged. */
  readonly baselines?: EvaluationBaselines
  /** Most failed runs that are reported. */
  readonly limit?: number
  /** Called before the first run with the number of runs, and as each run ends. Must not throw. */
  readonly onProgress?: (progress: EvaluationProgress, ended?: EndedRun) => void
}

/**
 * Never fails: what is wrong with the file, its rows or its workflow is in `diagnostics`, and a run that fails
 * is a run that did not pass. Within `Effect.uninterruptible` an interrupt ends the runs, and what has ended
 * so far is given, marked partial.
 */
export const runEvaluation = (
  file: string,
  options: EvaluationOptions = {},
): Effect.Effect<EvaluationReport> =>
  Effect.uninterruptible(
    Effect.scoped(
      Effect.gen(function* () {
        const began = yield* Clock.currentTimeMillis
        const { ready, ...prepared } = yield* Effect.interruptible(prepareEvaluation(file, options))
        const { evaluation } = ready ?? {}
        const repeat = options.repeat ?? evaluation?.repeat ?? 1
        const results = new Results(ready, repeat, options.limit ?? 20)
        const partial =
          ready === undefined ? undefined : yield* measure(ready, results, prepared.name, options)
        const now = yield* Clock.currentTimeMillis
        return {
          file,
          ...prepared,
          ...results.report(partial, options.baselines && (options.baselines[prepared.name] ?? {})),
          calls:
            options.record !== undefined
              ? "recorded"
              : options.replay !== undefined
                ? "replayed"
                : "live",
          skipped: ready?.skipped ?? 0,
          repeat,
          ms: now - began,
        }
      }),
    ),
  )

/** One run that is to be. */
interface Job {
  readonly one: EvaluationCase
  /** Counts the cases that run. */
  readonly at: number
  readonly run: number
  readonly variant: Prepared["variants"][number]
  readonly folder: string | undefined
}

/** Side by side in time: each case in all variants, then again, then the next case. */
async function* jobsOf(
  ready: Prepared,
  repeat: number,
  folder: string | undefined,
): AsyncGenerator<Job> {
  const places = folder === undefined ? undefined : new EvaluationCassettes(folder)
  let at = 0
  for await (const one of ready.cases()) {
    const place = places?.of(one)
    if (!ready.isChosen(one)) continue
    for (let run = 0; run < repeat; run++) {
      for (const variant of ready.variants) {
        yield { one, at, run, variant, folder: place?.(variant.name, run) }
      }
    }
    at++
  }
}

/** Runs all of them, some at the same time; says why it did not. */
const measure = Effect.fnUntraced(function* (
  ready: Prepared,
  results: Results,
  name: string,
  options: EvaluationOptions,
) {
  const { maxCost, record, replay } = options
  const root = record ?? replay
  const jobs = jobsOf(ready, results.repeat, root === undefined ? undefined : join(root, name))
  const budget =
    maxCost === undefined
      ? undefined
      : new MemoryBudgetLedger({ cost_usd: maxCost }, "the evaluation")
  const judge = runJudge(ready.evaluation, ready.reads)
  // Calls of a replay cost nothing.
  const unpriced =
    budget === undefined || replay !== undefined
      ? []
      : [...new Set(ready.variants.flatMap(({ loaded }) => unpricedModels(loaded.pipeline)))]
  if (unpriced.length > 0) {
    results.problem(
      0,
      `the price of ${unpriced.join(", ")} is not known, so a maximum cost cannot be kept; set the price in a file of kind Models and name it under model_facts in planloom.yaml`,
    )
    return undefined
  }
  options.onProgress?.(results.progress())
  let started = 0
  let spent = false
  const worker = Effect.gen(function* () {
    for (;;) {
      const next = yield* Effect.promise(() => jobs.next())
      if (next.done === true || spent || results.problems.length >= MOST_PROBLEMS) return
      const job = next.value
      started++
      const within = budget && new RunBudget(budget)
      const ended = yield* runJob(job, ready, { records: record !== undefined, budget: within })
      if (typeof ended === "string") {
        results.problem(job.at, ended)
        continue
      }
      const { result } = ended
      // What a run made of a refused call says nothing about the workflow.
      if (within?.hasRefused === true) {
        spent = true
        return
      }
      spent ||= budget !== undefined && budget.spent.cost >= maxCost!
      const judged = judge(job.one, result, ended)
      const whole = { ...job, variant: job.variant.name, result, judged }
      results.add(whole)
      options.onProgress?.(results.progress(), whole)
    }
  })
  const workers = options.concurrency ?? ready.evaluation.concurrency
  const exit = yield* Effect.exit(
    Effect.interruptible(
      Effect.all(
        Array.from({ length: workers }, () => worker),
        {
          concurrency: "unbounded",
          discard: true,
        },
      ),
    ),
  )
  yield* Effect.promise(() => jobs.return(undefined))
  if (Exit.isFailure(exit)) {
    if (!Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
    return "interrupted" as const
  }
  if (spent && results.done < results.planned) return "max_cost" as const
  const { data } = ready.evaluation
  if (data !== undefined && results.problems.length === 0 && started !== results.planned) {
    const path = beside(ready.document.file.path, data)
    const had = `${ready.count} ${ready.count === 1 ? "case" : "cases"}`
    results.problem(0, `${path} has changed while it was measured: it had ${had}`)
  }
  return undefined
})

/** Recordings that do not answer; after these nothing new would be learnt. */
const MOST_PROBLEMS = 5

/** Calls wait between tries as they do in a run: services that are asked by many need that more than tests do. */
const runJob = Effect.fnUntraced(function* (
  { folder, one, variant }: Job,
  { evaluation, reads }: Prepared,
  given: { readonly records: boolean; readonly budget: RunBudget | undefined },
) {
  const { pipeline, secrets }: LoadedWorkflow = variant.loaded
  const problems: Array<string> = []
  const opened =
    folder === undefined
      ? undefined
      : yield* Effect.result(
          given.records
            ? recordCassette(folder, pipeline.name, { secrets })
            : replayCassette(folder, { secrets }),
        )
  if (opened?._tag === "Failure") return runLine(one, variant.name, opened.failure.message)
  const { answers, models, tools } = evaluation.given
  const stubbed = withStubs(pipeline, {
    inputs: {},
    models: { ...models, ...one.given.models },
    tools: { ...tools, ...one.given.tools },
    answers,
  })
  const options = {
    journal: memoryJournal,
    ...pastOf(one.session, pipeline),
    user: one.user,
    answer: new ScriptedAnswers(answers, () => Effect.undefined).answer,
    secrets,
    onUnrecorded: ({ message }: { readonly message: string }) => problems.push(message),
    ...(opened === undefined ? {} : { cassette: opened.success }),
    ...(given.budget === undefined ? {} : { budget: given.budget }),
  }
  const { ended, ...ran } = yield* hermeticRun(stubbed.pipeline, one.inputs, options, reads)
  if (typeof ended === "string") return runLine(one, variant.name, ended)
  const stale = ended.failure?.class === "store" ? [ended.failure.message] : []
  const [problem] = [...problems, ...stale]
  if (problem !== undefined) return runLine(one, variant.name, problem)
  return { ...ran, result: ended satisfies RunResult }
})

const runLine = ({ file, line, name }: EvaluationCase, variant: string, message: string): string =>
  `${file}:${line} ${name}${variant === "default" ? "" : ` (${variant})`}: ${message}`
