/** Evaluations as JUnit XML, for CI: gates are the test cases, figures the properties. */
import { placeText } from "@planloom/language"
import type { EvaluationReport, GateResult } from "../evaluation/EvaluationReport.ts"
import { attributes, escaped, seconds } from "./junit.ts"

/** One suite per evaluation. What keeps it from being judged is an error; what was not judged is skipped. */
export const evaluationJunit = (reports: ReadonlyArray<EvaluationReport>): string => {
  const suites = reports.map(countsOf)
  const sum = (key: "errors" | "failures" | "skipped" | "tests") =>
    suites.reduce((total, counts) => total + counts[key], 0)
  const time = seconds(reports.reduce((total, { ms }) => total + ms, 0))
  const totals = { tests: sum("tests"), failures: sum("failures"), errors: sum("errors") }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ ...totals, skipped: sum("skipped"), time })}>`,
    ...reports.flatMap(suite),
    "</testsuites>",
    "",
  ].join("\n")
}

const errorLines = ({
  diagnostics,
  partial,
  problems,
}: EvaluationReport): ReadonlyArray<string> => [
  ...diagnostics
    .filter(({ severity }) => severity === "error")
    .map((one) => `${placeText(one)} ${one.code} ${one.message}`),
  ...problems,
  ...(partial === undefined ? [] : [`it ended before every case had run: ${partial}`]),
]

const countsOf = (report: EvaluationReport) => {
  const errors = errorLines(report).length > 0 ? 1 : 0
  return {
    tests: report.gates.length + errors,
    failures: report.gates.filter(({ holds }) => holds === false).length,
    errors,
    skipped: report.gates.filter(({ holds }) => holds === undefined).length,
  }
}

const suite = (report: EvaluationReport): ReadonlyArray<string> => {
  const said = errorLines(report)
  return [
    `  <testsuite${attributes({ name: report.file, ...countsOf(report), time: seconds(report.ms) })}>`,
    "    <properties>",
    ...Object.entries(report.variants).flatMap(([variant, { ms, ...figures }]) =>
      properties(variant, { ...figures, ms: { p50: ms.p50, p95: ms.p95 } }),
    ),
    "    </properties>",
    ...(said.length === 0
      ? []
      : [
          `    <testcase${attributes({ name: "can be measured", classname: report.file })}>`,
          `      <error${attributes({ message: said[0]! })}>${escaped(said.join("\n"))}</error>`,
          "    </testcase>",
        ]),
    ...report.gates.flatMap((gate) => gateCase(gate, report)),
    "  </testsuite>",
  ]
}

/** `default.scores.words.mean`; what is null has no property. */
const properties = (path: string, value: unknown): ReadonlyArray<string> => {
  if (value === null || value === undefined) return []
  if (typeof value !== "object") {
    return [`      <property${attributes({ name: path, value: String(value) })}/>`]
  }
  return Object.entries(value).flatMap(([key, entry]) => properties(`${path}.${key}`, entry))
}

const gateCase = (
  { file, gate, holds, line, message, variant }: GateResult,
  report: EvaluationReport,
): ReadonlyArray<string> => {
  const name = variant === undefined ? gate : `${gate} (${variant})`
  const head = `    <testcase${attributes({ name, classname: report.file })}`
  if (holds === true) return [`${head}/>`]
  const inside =
    holds === undefined
      ? `      <skipped${attributes({ message })}/>`
      : `      <failure${attributes({ message })}>${escaped(`${file}:${line} ${gate}\n${message}`)}</failure>`
  return [`${head}>`, inside, "    </testcase>"]
}
