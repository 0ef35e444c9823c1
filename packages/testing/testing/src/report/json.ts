/** Test reports as JSON, for other programs. */
import type { Diagnostic } from "@planloom/language"
import type { CalibrationMetrics } from "../metrics/calibration.ts"
import type { ConfidenceMetrics } from "../metrics/judgements.ts"
import type { ReplyMetrics } from "../metrics/replies.ts"
import type { PlanningMetrics } from "../metrics/planningMetrics.ts"
import type { TestFileReport } from "../workflow/TestReport.ts"
import { count } from "./count.ts"

/** `{ passed, failed, skipped, broken, ms, metrics, confidence, calibration, replies, files: [{ file, workflow, tests, diagnostics, … }] }`. */
export const json = (
  reports: ReadonlyArray<TestFileReport>,
  more: {
    readonly metrics?: PlanningMetrics
    readonly confidence?: ConfidenceMetrics
    readonly calibration?: CalibrationMetrics
    readonly replies?: ReplyMetrics
  } = {},
): string =>
  `${JSON.stringify({ ...count(reports), ...more, files: reports.map(fileOf) }, undefined, 2)}\n`

const fileOf = ({ diagnostics, file, ms, skipped, tests, workflow }: TestFileReport) => ({
  file,
  workflow,
  ms,
  skipped,
  diagnostics: diagnostics.map(diagnosticOf),
  tests: tests.map(({ failures, ms: took, ok, result, test }) => ({
    test,
    ok,
    ms: took,
    failures: failures.map(({ assertion, message, ...at }) => ({
      ...place(at),
      assertion,
      message,
    })),
    ...(result === undefined ? {} : { status: result.status, usage: result.usage }),
  })),
})

export const diagnosticOf = ({
  code,
  help,
  message,
  severity,
  ...at
}: Diagnostic): Pick<Diagnostic, "code" | "file" | "help" | "message" | "severity"> & {
  readonly line: number
  readonly col: number
} => ({
  ...place(at),
  severity,
  code,
  message,
  ...(help === undefined ? {} : { help }),
})

const place = ({ file, start }: Pick<Diagnostic, "file" | "start">) => ({
  file,
  line: start.line,
  col: start.col,
})
