/** Formats evaluation reports for a terminal. */
import type { Compared, EvaluationReport } from "@planloom/testing"
import { report as reportDiagnostics } from "@planloom/language"
import { plural } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { cut, oneLine, visible, wrap } from "../terminal/text.ts"
import type { EvaluationTextOptions } from "./EvaluationTextOptions.ts"
import { figuresTable, shortNumber } from "./figuresTable.ts"

/** Formats each evaluation: figures by variant, comparisons, failed runs, gates. */
export const evaluationText = (
  reports: ReadonlyArray<EvaluationReport>,
  options: EvaluationTextOptions,
): string => `${reports.map((report) => oneText(report, options)).join("\n\n")}\n`

const oneText = (report: EvaluationReport, options: EvaluationTextOptions): string => {
  const { style } = options
  const said = reportDiagnostics(report.diagnostics, {
    color: style.color,
    width: options.width,
    sources: report.sources,
  }).trimEnd()
  const measured =
    report.problems.length === 0 && Object.values(report.variants).some(({ runs }) => runs > 0)
  return [
    `${style.bold(report.file)}${measured ? style.dim(`  ${aboutText(report)}`) : ""}`,
    ...(said === "" ? [] : [said]),
    ...report.problems.map((text) => `${style.bad("✗")} ${indent(visible(text), 2).trimStart()}`),
    ...(measured
      ? [
          "",
          ...indented(figuresTable(report, { ...options, width: options.width - 2 })),
          ...notesText(report, options),
          ...comparedText(report, options),
          ...failedText(report, options),
          ...missedText(report, options),
          ...gatesText(report, options),
        ]
      : []),
    ...partialText(report, style),
  ].join("\n")
}

const aboutText = ({ calls, repeat, skipped, variants }: EvaluationReport): string => {
  const most = Math.max(...Object.values(variants).map(({ cases }) => cases))
  return [
    plural(most, "case"),
    ...(repeat > 1 ? [`${repeat} runs of each`] : []),
    ...(skipped > 0 ? [`${skipped} left out`] : []),
    ...(calls === "live" ? [] : [calls]),
  ].join(", ")
}

const notesText = (
  { degraded_because: because, variants }: EvaluationReport,
  { style, width }: EvaluationTextOptions,
): ReadonlyArray<string> => {
  if (because === undefined) return []
  const all = Object.values(variants)
  const runs = all.reduce((sum, one) => sum + one.runs, 0)
  const degraded = all.reduce((sum, one) => sum + one.degraded, 0)
  const which = degraded === runs ? "all runs" : `${degraded} of ${runs} runs`
  const said = `degraded: ${which}: ${oneLine(because)}`
  return ["", ...indented(wrap(said, width - 2).map(style.warn))]
}

const comparedText = (
  { compared, variants }: EvaluationReport,
  { style, width }: EvaluationTextOptions,
): ReadonlyArray<string> => {
  const [first] = Object.keys(variants)
  return Object.entries(compared).flatMap(([name, one]) => [
    "",
    `  ${style.bold(name)} against ${first}: ${verdict(one, style)}`,
    ...one.flipped.map(
      ({ better, case: called, file, line }) =>
        `    ${better ? style.good("+") : style.bad("-")} ${oneLine(called)}  ${style.dim(`${file}:${line}`)}`,
    ),
    ...(one.flipped.length < one.better + one.worse
      ? [style.dim(`    and ${one.better + one.worse - one.flipped.length} more`)]
      : []),
    ...Object.entries(one.scores).flatMap(([score, { difference, higher, lower, p }]) =>
      difference === null
        ? []
        : indented(
            wrap(
              `${score} ${difference > 0 ? "+" : ""}${shortNumber(difference)}: higher in ${higher}, lower in ${lower}, p = ${probability(p)}`,
              width - 4,
            ),
            4,
          ),
    ),
  ])
}

const verdict = ({ better, p, same, worse }: Compared, style: Style): string =>
  [
    (better > 0 ? style.good : style.dim)(`${better} better`),
    (worse > 0 ? style.bad : style.dim)(`${worse} worse`),
    style.dim(`${same} the same`),
    `p = ${probability(p)} ${style.dim("(sign test)")}`,
  ].join(", ")

const probability = (p: number): string => (p < 0.0001 ? "0.0001 or less" : shortNumber(p))

const gatesText = (
  { gates }: EvaluationReport,
  { style, width }: EvaluationTextOptions,
): ReadonlyArray<string> =>
  gates.length === 0
    ? []
    : [
        "",
        ...gates.flatMap(({ file, gate, holds, line, message, variant }) => {
          const mark =
            holds === undefined ? style.dim("–") : holds ? style.good("✓") : style.bad("✗")
          const of = variant === undefined ? "" : style.dim(` (${variant})`)
          const head = `  ${mark} ${oneLine(gate)}${of}`
          if (holds === true) return [head]
          const place = holds === false ? `  ${style.dim(`${file}:${line}`)}` : ""
          return [
            `${head}${place}`,
            ...cutLines(message, width - 4).map((text) => `    ${style.dim(text)}`),
          ]
        }),
      ]

const failedText = (
  { failed, repeat, variants }: EvaluationReport,
  { style, width }: EvaluationTextOptions,
): ReadonlyArray<string> => {
  const all = Object.values(variants).reduce((sum, one) => sum + one.failed, 0)
  if (all === 0 || failed.length === 0) return []
  const named = whichRun(variants, repeat, style)
  return [
    "",
    ...failed.flatMap(({ case: called, file, line, unmet, ...run }) => {
      return [
        `  ${style.bad("✗")} ${oneLine(called)}${named(run)}  ${style.dim(`${file}:${line}`)}`,
        // If the run's status is already wrong, its other failed assertions add nothing.
        ...(unmet[0]?.assertion.startsWith("status ==") === true
          ? unmet.slice(0, 1)
          : unmet
        ).flatMap(({ assertion, message }) => [
          `      ${cut(oneLine(assertion), width - 6)}`,
          ...cutLines(message, width - 8).map((text) => `        ${style.dim(text)}`),
        ]),
      ]
    }),
    ...moreText(all - failed.length, style),
  ]
}

/** Most misses of one run that are shown. */
const MAX_MISSES = 10

const missedText = (
  { missed, repeat, variants }: EvaluationReport,
  { style, width }: EvaluationTextOptions,
): ReadonlyArray<string> => {
  const all = Object.values(variants).reduce((sum, one) => sum + one.missed, 0)
  if (missed.length === 0) return []
  const named = whichRun(variants, repeat, style)
  return [
    "",
    ...missed.flatMap(({ case: called, file, line, missed: items, ...run }) => [
      `  ${style.warn("missed")} ${oneLine(called)}${named(run)}  ${style.dim(`${file}:${line}`)}`,
      ...items
        .slice(0, MAX_MISSES)
        .map(
          (item) =>
            `      ${cut(oneLine(typeof item === "string" ? item : JSON.stringify(item)), width - 6)}`,
        ),
      ...(items.length > MAX_MISSES
        ? [style.dim(`      and ${items.length - MAX_MISSES} more`)]
        : []),
    ]),
    ...moreText(all - missed.length, style),
  ]
}

/** The variant and the number of a run, where there are several. */
const whichRun = (variants: EvaluationReport["variants"], repeat: number, style: Style) => {
  const several = Object.keys(variants).length > 1
  return ({ run, variant }: { readonly run: number; readonly variant: string }): string => {
    const which = [...(several ? [variant] : []), ...(repeat > 1 ? [`run ${run}`] : [])]
    return which.length === 0 ? "" : style.dim(` (${which.join(", ")})`)
  }
}

const moreText = (left: number, style: Style): ReadonlyArray<string> =>
  left > 0 ? [style.dim(`  and ${left} more; --limit shows more, --out runs.jsonl all`)] : []

const partialText = (
  { partial, planned, variants }: EvaluationReport,
  style: Style,
): ReadonlyArray<string> => {
  if (partial === undefined) return []
  const done = Object.values(variants).reduce((sum, one) => sum + one.runs, 0)
  const why = partial === "max_cost" ? "--max-cost was reached" : "it was cancelled"
  return [
    "",
    `  ${style.warn(`partial: ${done} of ${plural(planned, "run")} had ended when ${why}`)}`,
  ]
}

/** Cuts each line, because replies of models may be long. */
const cutLines = (text: string, width: number): ReadonlyArray<string> =>
  visible(text)
    .split("\n")
    .map((line) => cut(line, width))

const indent = (text: string, by: number): string =>
  text
    .split("\n")
    .map((line) => `${" ".repeat(by)}${line}`)
    .join("\n")

const indented = (lines: ReadonlyArray<string>, by = 2): ReadonlyArray<string> =>
  lines.map((line) => indent(line, by))
