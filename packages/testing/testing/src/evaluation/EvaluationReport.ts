/** What an evaluation came to; plain data, for reporters. */
import type { FailureClass, FailureRecord, Json } from "@planloom/plugin/effect"
import type { Diagnostic, SourceFile } from "@planloom/language"
import type { CalibrationMetrics } from "../metrics/calibration.ts"
import type { PlanningMetrics } from "../metrics/planningMetrics.ts"
import type { Spread } from "./statistics.ts"

/** Of one variant, over the runs that have ended. Gates read exactly these names. */
export interface Figures {
  /** Cases of which at least one run has ended. */
  readonly cases: number
  readonly runs: number
  readonly passed: number
  readonly failed: number
  /** Share of the runs that passed, with its 95 % interval; null without runs. */
  readonly pass_rate: number | null
  readonly pass_rate_low: number
  readonly pass_rate_high: number
  /** Cases of which some runs passed and some did not. */
  readonly unsteady: number
  /** Runs of which a stage worked without its model. */
  readonly degraded: number
  /** Runs that ended in a question. */
  readonly clarifications: number
  /** Runs with misses. */
  readonly missed: number
  /** Runs that failed, by class. */
  readonly failures: { readonly [failure in FailureClass]?: number }
  /** By name; `count` is how many runs have the score. */
  readonly scores: { readonly [name: string]: Spread }
  /** How well plans were made, over the runs that succeeded or should have. */
  readonly planning: PlanningMetrics
  /** How well confidence matches the expectations, over the runs that gave an answer. */
  readonly calibration: CalibrationMetrics
  /** Share of the replies that were to be JSON and were usable without asking again; null without any. */
  readonly parse_success_rate: number | null
  /** Milliseconds of a run. */
  readonly ms: Spread
  /** US dollars, of the calls whose price is known. */
  readonly cost: number
  readonly model_calls: number
  /** Of the model calls, those whose tokens are counted or set as the most there can be. */
  readonly estimated_calls: number
  readonly tool_calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cached_tokens: number
}

/** A variant against the first one, case by case. */
export interface Compared {
  /** Cases that pass more often, less often, and as often. */
  readonly better: number
  readonly worse: number
  readonly same: number
  /** Of the two-sided sign test. */
  readonly p: number
  /** Cases that differ, in order, at most as many as failed ones are listed. */
  readonly flipped: ReadonlyArray<{
    readonly case: string
    readonly file: string
    readonly line: number
    readonly better: boolean
  }>
  readonly scores: {
    readonly [name: string]: {
      /** Of the means over cases that both have. */
      readonly difference: number | null
      readonly higher: number
      readonly lower: number
      readonly p: number
    }
  }
}

export interface GateResult {
  /** As written. */
  readonly gate: string
  readonly file: string
  readonly line: number
  /** The variant whose figures it reads; absent where it reads those of several by name. */
  readonly variant?: string
  /** Undefined: it was not judged, and `message` says why. */
  readonly holds: boolean | undefined
  /** The values that decided; empty when it holds. */
  readonly message: string
}

/** A run that is listed. */
interface ListedRun {
  readonly variant: string
  readonly case: string
  /** Which of the case's runs, from 1. */
  readonly run: number
  /** Of the case. */
  readonly file: string
  readonly line: number
}

/** A run with misses. */
export interface MissedRun extends ListedRun {
  /** Misses: items that it should have found. */
  readonly missed: ReadonlyArray<Json>
}

/** A run that did not pass. */
export interface FailedRun extends ListedRun {
  readonly status: string
  readonly failure?: Pick<FailureRecord, "class" | "message"> & { readonly stage?: string }
  readonly unmet: ReadonlyArray<{ readonly assertion: string; readonly message: string }>
}

export interface EvaluationReport {
  /** As the caller gave it. */
  readonly file: string
  /** Its file's name without `.eval.yaml`. */
  readonly name: string
  /** As a path from the working folder; empty when the file does not say. */
  readonly workflow: string
  /** What is wrong with the file, its rows or its workflow; with an error in them nothing has run. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** Every file a diagnostic may point into, but for rows. */
  readonly sources: ReadonlyMap<string, SourceFile>
  /** Recordings that do not answer or cannot be written, rows that have changed: then the figures are of no use. */
  readonly problems: ReadonlyArray<string>
  /** Why not every case has run. */
  readonly partial: "interrupted" | "max_cost" | undefined
  /** Cases the filter left out. */
  readonly skipped: number
  /** Runs that were to be, of all variants. */
  readonly planned: number
  readonly repeat: number
  /** Where the calls came from. */
  readonly calls: "live" | "recorded" | "replayed"
  /** In the order they are written; without any it is `default`. */
  readonly variants: { readonly [name: string]: Figures }
  /** Each variant but the first. */
  readonly compared: { readonly [name: string]: Compared }
  readonly gates: ReadonlyArray<GateResult>
  /** In the order of the cases, at most as many as asked for. */
  readonly failed: ReadonlyArray<FailedRun>
  /** As the failed ones. */
  readonly missed: ReadonlyArray<MissedRun>
  /** The first message of a stage that continued without its model. */
  readonly degraded_because: string | undefined
  readonly ms: number
}
