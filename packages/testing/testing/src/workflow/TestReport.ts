/** What running a test file came to; plain data, for reporters. */
import type { Diagnostic, SourceFile, Span } from "@planloom/language"
import type { RunResult } from "@planloom/core"
import type { Prediction } from "../metrics/calibration.ts"
import type { Judgement } from "../metrics/judgements.ts"
import type { PlanningTally } from "../metrics/PlanningTally.ts"

/** Something that did not hold, at its place in the test file. */
export interface TestFailure extends Span {
  readonly file: string
  /** The assertion as written, or the key of `expect` that did not hold. */
  readonly assertion: string
  /** Why, with the actual values; lines. */
  readonly message: string
}

export interface TestResult {
  /** The test's name. */
  readonly test: string
  readonly ok: boolean
  readonly failures: ReadonlyArray<TestFailure>
  /** Milliseconds. */
  readonly ms: number
  /** The run, when there was one, what is counted of its plans, and how sure its stages were. */
  readonly result?: RunResult
  readonly planning?: PlanningTally
  readonly judgements?: ReadonlyArray<Judgement>
  /** Absent without an answer, a confidence or a truth. */
  readonly prediction?: Prediction
}

export interface TestFileReport {
  /** As the caller gave it. */
  readonly file: string
  /** The workflow it tests, as a path from the working folder; empty when the file does not say. */
  readonly workflow: string
  /** What is wrong with the test file or its workflow; with an error in them nothing has run. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** Every file a diagnostic or a failure may point into. */
  readonly sources: ReadonlyMap<string, SourceFile>
  readonly tests: ReadonlyArray<TestResult>
  /** Tests the filter left out. */
  readonly skipped: number
  readonly ms: number
}

/** Whether nothing stands in the way of a green run. */
export const passed = (reports: ReadonlyArray<TestFileReport>): boolean =>
  reports.every(
    ({ diagnostics, tests }) =>
      tests.every(({ ok }) => ok) && diagnostics.every(({ severity }) => severity !== "error"),
  )

/** Judgements of all tests, also of those that end in a question. */
export const judgementsIn = (reports: ReadonlyArray<TestFileReport>): ReadonlyArray<Judgement> =>
  reports.flatMap(({ tests }) => tests.flatMap(({ judgements }) => judgements ?? []))

/** Predictions of all tests that have one. */
export const predictionsIn = (reports: ReadonlyArray<TestFileReport>): ReadonlyArray<Prediction> =>
  reports.flatMap(({ tests }) => tests.flatMap(({ prediction }) => prediction ?? []))
