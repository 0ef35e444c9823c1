/** Test reports for a person at a terminal. */
import { codeFrame, report as reportDiagnostics } from "@planloom/language"
import type { TestFailure, TestFileReport, TestResult } from "../workflow/TestReport.ts"
import { count, isBroken } from "./count.ts"

export interface PrettyOptions {
  readonly color?: boolean
  /** Columns of the terminal: source lines longer than that are cut around the place that matters. */
  readonly width?: number
}

type Paint = (text: string) => string

interface Paints {
  readonly good: Paint
  readonly bad: Paint
  readonly faint: Paint
  readonly strong: Paint
}

const ansi =
  (on: number, off: number): Paint =>
  (text) =>
    `\u001b[${on}m${text}\u001b[${off}m`
const plainly: Paint = (text) => text
const plain: Paints = { good: plainly, bad: plainly, faint: plainly, strong: plainly }
const colored: Paints = {
  good: ansi(32, 39),
  bad: ansi(31, 39),
  faint: ansi(2, 22),
  strong: ansi(1, 22),
}

/** Every test by file, what did not hold below it, and the sum in the last line. Ends with a line break. */
export const pretty = (
  reports: ReadonlyArray<TestFileReport>,
  options: PrettyOptions = {},
): string => {
  const paints = options.color === true ? colored : plain
  return [...reports.map((report) => fileText(report, paints, options)), sum(reports, paints)].join(
    "\n",
  )
}

const fileText = (file: TestFileReport, paints: Paints, options: PrettyOptions): string => {
  const { diagnostics, sources } = file
  const lines = file.tests.flatMap((test) => testLines(test, file, paints, options))
  const said = reportDiagnostics(diagnostics, { ...within(options, 2), sources })
  return [
    paints.strong(file.file),
    ...lines,
    ...(said === "" ? [] : said.trimEnd().split("\n").map(indented(2))),
    "",
  ].join("\n")
}

const testLines = (
  test: TestResult,
  file: TestFileReport,
  paints: Paints,
  options: PrettyOptions,
) => [
  `  ${test.ok ? paints.good("✓") : paints.bad("✗")} ${test.test} ${paints.faint(`${test.ms} ms`)}`,
  ...test.failures.flatMap((failure) => failureLines(failure, file, paints, options)),
]

const failureLines = (
  failure: TestFailure,
  { sources }: TestFileReport,
  paints: Paints,
  options: PrettyOptions,
) =>
  [
    `${paints.bad(`${failure.file}:${failure.start.line}:${failure.start.col}`)} ${oneLine(failure.assertion)}`,
    ...codeFrame(failure, { ...within(options, BELOW_TEST), sources }),
    ...printable(failure.message).split("\n"),
  ].map(indented(BELOW_TEST))

/** Columns that what did not hold is indented by. */
const BELOW_TEST = 6

/** What is indented has less room. */
const within = ({ width, ...options }: PrettyOptions, indent: number): PrettyOptions =>
  width === undefined ? options : { ...options, width: width - indent }

const oneLine = (text: string): string => text.trim().replace(/\s+/g, " ")

/** What models and tools said may hold escape codes; a terminal must not interpret them. */
const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are the characters meant
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd")

const indented = (by: number) => (line: string) => (line === "" ? line : `${" ".repeat(by)}${line}`)

const sum = (reports: ReadonlyArray<TestFileReport>, paints: Paints): string => {
  const { broken, failed, ms, passed, skipped } = count(reports)
  const parts = [
    paints.good(`${passed} passed`),
    failed > 0 ? paints.bad(`${failed} failed`) : "0 failed",
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(broken > 0 ? [paints.bad(`${broken} of ${reports.length} files could not be tested`)] : []),
  ]
  const untested = reports.filter(isBroken).map(({ file }) => `  ${file}`)
  return `${[`${parts.join(", ")} ${paints.faint(`in ${ms} ms`)}`, ...untested].join("\n")}\n`
}
