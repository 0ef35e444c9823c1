/** Evaluations as JSON, for other programs. docs/evaluations.md says what each field is. */
import type { EvaluationReport } from "../evaluation/EvaluationReport.ts"
import { diagnosticOf } from "./json.ts"

/** Whether every gate that was judged holds, every case has run, and nothing stood in the way. */
export const evaluationPassed = (reports: ReadonlyArray<EvaluationReport>): boolean =>
  reports.every(
    ({ diagnostics, gates, partial, problems }) =>
      partial === undefined &&
      problems.length === 0 &&
      gates.every(({ holds }) => holds !== false) &&
      diagnostics.every(({ severity }) => severity !== "error"),
  )

/** `{ passed, partial, evaluations: [{ file, workflow, variants, compared, gates, failed_runs, … }] }`. */
export const evaluationJson = (reports: ReadonlyArray<EvaluationReport>): string =>
  `${JSON.stringify(
    {
      passed: evaluationPassed(reports),
      partial: reports.some(({ partial }) => partial !== undefined),
      evaluations: reports.map(evaluationOf),
    },
    undefined,
    2,
  )}\n`

const evaluationOf = ({
  degraded_because: because,
  diagnostics,
  failed,
  gates,
  missed,
  sources: _,
  ...rest
}: EvaluationReport) => ({
  ...rest,
  diagnostics: diagnostics.map(diagnosticOf),
  partial: rest.partial ?? null,
  degraded_because: because ?? null,
  gates: gates.map(({ holds, ...gate }) => ({ ...gate, holds: holds ?? null })),
  failed_runs: failed,
  missed_runs: missed,
})
