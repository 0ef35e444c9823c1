/** What is kept of an evaluation while it runs: numbers, the names of cases, and the first failures. */
import type { RunResult } from "@planloom/core"
import type { Compared, EvaluationReport, FailedRun, MissedRun } from "./EvaluationReport.ts"
import { judgeGates, type EvaluationBaseline } from "./judgeGates.ts"
import type { JudgedRun } from "./judgeRun.ts"
import type { Prepared } from "./prepareEvaluation.ts"
import { Tally } from "./Tally.ts"
import type { EvaluationCase } from "../file/Evaluation.ts"

/** A run that has ended and was judged. */
export interface EndedRun {
  readonly one: EvaluationCase
  /** Counts the cases that run, from 0. */
  readonly at: number
  /** Which of the case's runs, from 0. */
  readonly run: number
  readonly variant: string
  readonly result: RunResult
  readonly judged: JudgedRun
}

/** How far it is. */
export interface EvaluationProgress {
  readonly planned: number
  readonly done: number
  readonly passed: number
  /** US dollars. */
  readonly cost: number
}

type ReportFigures = Pick<
  EvaluationReport,
  | "compared"
  | "degraded_because"
  | "failed"
  | "gates"
  | "missed"
  | "partial"
  | "planned"
  | "problems"
  | "variants"
>

export class Results {
  readonly repeat: number
  readonly planned: number
  done = 0
  private wrong: ReadonlyArray<{ readonly at: number; readonly message: string }> = []
  private passed = 0
  private cost = 0
  private readonly ready: Prepared | undefined
  private readonly limit: number
  private readonly tallies: ReadonlyMap<string, Tally>
  /** By the count of the case. */
  private readonly places: Array<{
    readonly case: string
    readonly file: string
    readonly line: number
  }> = []
  private readonly failed: FirstRuns<FailedRun>
  private readonly missed: FirstRuns<MissedRun>
  private degraded: { readonly order: number; readonly reason: string } | undefined

  /** Without anything ready there is nothing to add. At most `limit` failed runs are reported, and as many with misses. */
  constructor(ready: Prepared | undefined, repeat: number, limit: number) {
    this.ready = ready
    this.repeat = repeat
    this.limit = limit
    this.failed = new FirstRuns(limit)
    this.missed = new FirstRuns(limit)
    this.planned = (ready?.count ?? 0) * repeat * (ready?.variants.length ?? 0)
    const scores = Object.keys(ready?.evaluation.score ?? {})
    this.tallies = new Map(
      (ready?.variants ?? []).map(({ name }) => [name, new Tally(repeat, scores)]),
    )
  }

  /** In the order of the cases. */
  get problems(): ReadonlyArray<string> {
    return this.wrong.map(({ message }) => message)
  }

  /** `at` counts the cases. */
  problem(at: number, message: string): void {
    this.wrong = [...this.wrong, { at, message }].toSorted((a, b) => a.at - b.at)
  }

  add(ended: EndedRun): void {
    const { at, judged, one, result, run, variant } = ended
    const passed = judged.unmet.length === 0
    this.places[at] ??= { case: one.name, file: one.file, line: one.line }
    this.tallies.get(variant)!.add(at, run, {
      passed,
      result,
      ms: (result.finishedAt ?? result.startedAt) - result.startedAt,
      scores: judged.scores,
      missed: judged.missed.length > 0,
      planning: judged.planning,
      prediction: judged.prediction,
    })
    const names = [...this.tallies.keys()]
    const order = (at * this.repeat + run) * names.length + names.indexOf(variant)
    const listed = { variant, case: one.name, run: run + 1, file: one.file, line: one.line }
    if (!passed) this.failed.add(order, { ...listed, ...failureOf(ended) })
    if (judged.missed.length > 0) this.missed.add(order, { ...listed, missed: judged.missed })
    const [reason] = result.degraded
    if (reason !== undefined && order < (this.degraded?.order ?? Infinity)) {
      this.degraded = { order, reason: reason.reason }
    }
    this.done++
    if (passed) this.passed++
    this.cost += result.usage.cost
  }

  report(
    partial: EvaluationReport["partial"],
    baseline: EvaluationBaseline | undefined,
  ): ReportFigures {
    const variants = Object.fromEntries(
      [...this.tallies].map(([name, tally]) => [name, tally.figures()]),
    )
    const figures = {
      partial,
      problems: this.problems,
      variants,
      compared: this.compared(),
    }
    return {
      ...figures,
      planned: this.planned,
      gates:
        this.ready === undefined
          ? []
          : judgeGates(this.ready.evaluation, this.ready.document, figures, baseline),
      failed: this.failed.runs,
      missed: this.missed.runs,
      degraded_because: this.degraded?.reason,
    }
  }

  private compared(): { readonly [name: string]: Compared } {
    const [first, ...others] = this.tallies
    return Object.fromEntries(
      others.map(([name, tally]) => {
        const flipped: Array<Compared["flipped"][number]> = []
        const figures = tally.against(first![1], (at, better) => {
          if (flipped.length < this.limit) flipped.push({ ...this.places[at]!, better })
        })
        return [name, { ...figures, flipped }]
      }),
    )
  }

  progress(): EvaluationProgress {
    return { planned: this.planned, done: this.done, passed: this.passed, cost: this.cost }
  }
}

/** The first runs in the order of the cases, whichever ended first. */
class FirstRuns<Run> {
  private readonly limit: number
  private ordered: ReadonlyArray<readonly [order: number, run: Run]> = []

  constructor(limit: number) {
    this.limit = limit
  }

  get runs(): ReadonlyArray<Run> {
    return this.ordered.map(([, run]) => run)
  }

  add(order: number, run: Run): void {
    if (this.ordered.length >= this.limit && order > (this.ordered.at(-1)?.[0] ?? -1)) return
    this.ordered = [...this.ordered, [order, run] as const]
      .toSorted(([a], [b]) => a - b)
      .slice(0, this.limit)
  }
}

const failureOf = ({ judged, result: { failure, status } }: EndedRun) => ({
  status,
  ...(failure === undefined
    ? {}
    : {
        failure: {
          class: failure.class,
          message: failure.message,
          ...(failure.stage === undefined ? {} : { stage: failure.stage }),
        },
      }),
  unmet: judged.unmet.map(({ assertion, message }) => ({
    assertion: assertion.trim(),
    message,
  })),
})
