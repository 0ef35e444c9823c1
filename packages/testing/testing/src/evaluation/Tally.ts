/** The numbers of one variant as its runs end, in whatever order: a few for each run, and nothing of what it said. */
import type { FailureClass } from "@planloom/plugin/effect"
import { dollars } from "@planloom/plugin/facts"
import type { RunResult } from "@planloom/core"
import { calibrationMetrics, type Prediction } from "../metrics/calibration.ts"
import { planningMetrics } from "../metrics/planningMetrics.ts"
import { noTally, sumTallies, type PlanningTally } from "../metrics/PlanningTally.ts"
import type { Compared, Figures } from "./EvaluationReport.ts"
import { effectiveTrials, rounded, signTest, spreadOf, wilson } from "./statistics.ts"

/** A run that has ended, judged. */
export interface Judged {
  readonly passed: boolean
  readonly result: Pick<RunResult, "degraded" | "failure" | "replies" | "status" | "usage">
  readonly planning: PlanningTally
  readonly prediction: Prediction | undefined
  readonly ms: number
  /** Whether it should have found something that it has not. */
  readonly missed: boolean
  /** Absent where the run does not have it. */
  readonly scores: { readonly [name: string]: number | undefined }
}

export class Tally {
  private readonly repeat: number
  private readonly names: ReadonlyArray<string>
  /** By run: those of case 0 first. Absent while a run has not ended. */
  private readonly passed: Array<boolean | undefined> = []
  private readonly ms: Array<number | undefined> = []
  private readonly predictions: Array<Prediction | undefined> = []
  private readonly scores: { readonly [name: string]: Array<number | undefined> }
  private readonly failures: { [failure in FailureClass]?: number } = {}
  private readonly sums = {
    degraded: 0,
    clarifications: 0,
    missed: 0,
    model_calls: 0,
    estimated_calls: 0,
    tool_calls: 0,
    input_tokens: 0,
    output_tokens: 0,
    cached_tokens: 0,
  }
  private planning = noTally
  private readonly replies = { usable: 0, all: 0 }
  private readonly costs: Array<number> = []

  /** `names` are those of the scores. */
  constructor(repeat: number, names: ReadonlyArray<string>) {
    this.repeat = repeat
    this.names = names
    this.scores = Object.fromEntries(names.map((name) => [name, []]))
  }

  /** `at` counts the cases, `run` the runs of the case; from 0. */
  add(at: number, run: number, judged: Judged): void {
    const { missed, ms, passed, planning, prediction, result, scores } = judged
    const index = at * this.repeat + run
    const { usage } = result
    this.passed[index] = passed
    this.predictions[index] = prediction
    this.ms[index] = ms
    for (const name of this.names) this.scores[name]![index] = scores[name]
    if (result.degraded.length > 0) this.sums.degraded++
    if (missed) this.sums.missed++
    if (result.status === "clarification") this.sums.clarifications++
    else if (result.failure !== undefined) {
      const { class: failure } = result.failure
      this.failures[failure] = (this.failures[failure] ?? 0) + 1
    }
    // A run that fails as it should has made no plan to be held to.
    if (!passed || result.status === "succeeded") {
      this.planning = sumTallies([this.planning, planning])
    }
    const { direct = 0, failed = 0, repaired = 0, salvaged = 0 } = result.replies ?? {}
    this.replies.usable += direct + salvaged
    this.replies.all += direct + salvaged + repaired + failed
    this.costs[index] = usage.cost
    this.sums.model_calls += usage.modelCalls
    this.sums.estimated_calls += usage.estimatedCalls ?? 0
    this.sums.tool_calls += usage.toolCalls
    this.sums.input_tokens += usage.inputTokens
    this.sums.output_tokens += usage.outputTokens
    this.sums.cached_tokens += usage.cachedTokens
  }

  figures(): Figures {
    const cases = this.cases()
    const runs = cases.reduce((sum, one) => sum + one.runs, 0)
    const passed = cases.reduce((sum, one) => sum + one.passed, 0)
    const [low, high] = wilson(runs === 0 ? 0 : passed / runs, effectiveTrials(cases))
    return {
      cases: cases.length,
      runs,
      passed,
      failed: runs - passed,
      pass_rate: runs === 0 ? null : rounded(passed / runs),
      pass_rate_low: rounded(low),
      pass_rate_high: rounded(high),
      unsteady: cases.filter((one) => one.passed > 0 && one.passed < one.runs).length,
      ...this.sums,
      failures: Object.fromEntries(Object.entries(this.failures).toSorted()),
      scores: Object.fromEntries(
        this.names.map((name) => [name, spreadOf(present(this.scores[name]!))]),
      ),
      planning: planningMetrics(this.planning),
      calibration: calibrationMetrics(present(this.predictions)),
      parse_success_rate:
        this.replies.all === 0 ? null : rounded(this.replies.usable / this.replies.all),
      ms: spreadOf(present(this.ms)),
      // In the order of the runs, so that it is the same however they were interleaved.
      cost: dollars(present(this.costs).reduce((sum, cost) => sum + cost, 0)),
    }
  }

  /** This variant against the first; `flippedAt` is called with the cases that differ, in order. */
  against(
    first: Tally,
    flippedAt: (at: number, better: boolean) => void,
  ): Omit<Compared, "flipped"> {
    const counts = { better: 0, worse: 0, same: 0 }
    const length = Math.ceil(Math.max(this.passed.length, first.passed.length) / this.repeat)
    for (let at = 0; at < length; at++) {
      const [is, was] = [this.shareAt(at), first.shareAt(at)]
      if (is === undefined || was === undefined) continue
      counts[is > was ? "better" : is < was ? "worse" : "same"]++
      if (is !== was) flippedAt(at, is > was)
    }
    const scores = this.names.map((name) => {
      const pairs = Array.from({ length }, (_, at) => [
        meanOf(this.scores[name]!, at, this.repeat),
        meanOf(first.scores[name]!, at, this.repeat),
      ]).filter((pair): pair is [number, number] => !pair.includes(undefined))
      const higher = pairs.filter(([is, was]) => is > was).length
      const lower = pairs.filter(([is, was]) => is < was).length
      const sum = pairs.reduce((total, [is, was]) => total + is - was, 0)
      const difference = pairs.length === 0 ? null : rounded(sum / pairs.length)
      return [name, { difference, higher, lower, p: rounded(signTest(higher, lower)) }] as const
    })
    return {
      ...counts,
      p: rounded(signTest(counts.better, counts.worse)),
      scores: Object.fromEntries(scores),
    }
  }

  private shareAt(at: number): number | undefined {
    return meanOf(
      this.passed
        .slice(at * this.repeat, (at + 1) * this.repeat)
        .map((one) => (one === undefined ? undefined : Number(one))),
      0,
      this.repeat,
    )
  }

  private cases(): ReadonlyArray<{ readonly runs: number; readonly passed: number }> {
    const cases: Array<{ runs: number; passed: number }> = []
    for (let from = 0; from < this.passed.length; from += this.repeat) {
      const runs = present(this.passed.slice(from, from + this.repeat))
      if (runs.length > 0) cases.push({ runs: runs.length, passed: runs.filter(Boolean).length })
    }
    return cases
  }
}

/** Runs may be missing in between: they have not ended, or have none. */
const present = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> =>
  values.filter((value) => value !== undefined)

const meanOf = (
  values: ReadonlyArray<number | undefined>,
  at: number,
  repeat: number,
): number | undefined => {
  const own = present(values.slice(at * repeat, (at + 1) * repeat))
  return own.length === 0 ? undefined : own.reduce((sum, value) => sum + value, 0) / own.length
}
