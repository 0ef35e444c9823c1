/** How many tests passed, failed and were left out, and how many files could not be tested at all. */
import type { TestFileReport } from "../workflow/TestReport.ts"

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Test files that are wrong, or whose workflow is. */
  readonly broken: number
  readonly ms: number
}

export const count = (reports: ReadonlyArray<TestFileReport>): TestCounts => {
  const tests = reports.flatMap((report) => report.tests)
  const passed = tests.filter(({ ok }) => ok).length
  return {
    passed,
    failed: tests.length - passed,
    skipped: reports.reduce((sum, { skipped }) => sum + skipped, 0),
    broken: reports.filter(isBroken).length,
    ms: reports.reduce((sum, { ms }) => sum + ms, 0),
  }
}

export const isBroken = ({ diagnostics }: TestFileReport): boolean =>
  diagnostics.some(({ severity }) => severity === "error")
