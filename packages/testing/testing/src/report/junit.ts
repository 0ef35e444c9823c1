/** Test reports as JUnit XML, for CI. */
import { placeText } from "@planloom/language"
import type { TestFileReport, TestResult } from "../workflow/TestReport.ts"
import { count } from "./count.ts"

/** One suite per file; a file that could not be tested is a suite with one error. Times are in seconds. */
export const junit = (reports: ReadonlyArray<TestFileReport>): string => {
  const { broken, failed, ms, passed } = count(reports)
  const totals = { tests: passed + failed + broken, failures: failed, errors: broken }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ ...totals, time: seconds(ms) })}>`,
    ...reports.flatMap(suite),
    "</testsuites>",
    "",
  ].join("\n")
}

const suite = (report: TestFileReport): ReadonlyArray<string> => {
  const { broken, failed, ms, passed } = count([report])
  const errors = report.diagnostics.filter(({ severity }) => severity === "error")
  const said = errors.map((one) => `${placeText(one)} ${one.code} ${one.message}`)
  return [
    `  <testsuite${attributes({
      name: report.file,
      tests: passed + failed + broken,
      failures: failed,
      errors: broken,
      skipped: report.skipped,
      time: seconds(ms),
    })}>`,
    ...(broken === 0
      ? []
      : [
          `    <testcase${attributes({ name: "can be tested", classname: report.file })}>`,
          `      <error${attributes({ message: said[0] ?? "" })}>${escaped(said.join("\n"))}</error>`,
          "    </testcase>",
        ]),
    ...report.tests.flatMap((test) => testCase(test, report)),
    "  </testsuite>",
  ]
}

const testCase = (test: TestResult, { file }: TestFileReport): ReadonlyArray<string> => {
  const head = `    <testcase${attributes({ name: test.test, classname: file, time: seconds(test.ms) })}`
  if (test.ok) return [`${head}/>`]
  return [
    `${head}>`,
    ...test.failures.map(
      ({ assertion, file: at, message, start }) =>
        `      <failure${attributes({ message: assertion })}>${escaped(`${at}:${start.line}:${start.col} ${assertion}\n${message}`)}</failure>`,
    ),
    "    </testcase>",
  ]
}

export const seconds = (ms: number): string => (ms / 1000).toFixed(3)

export const attributes = (values: { readonly [name: string]: string | number }): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll("\n", "&#10;")}"`)
    .join("")

/** XML 1.0 has no way to write most control characters: they become U+FFFD. */
export const escaped = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- these are the characters meant
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
