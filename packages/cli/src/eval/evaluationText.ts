/** Evaluations for a person at a terminal. */
import type { Compared, EvaluationBaselines, EvaluationReport, Figures } from "@planloom/testing"
import { report as reportDiagnostics } from "@planloom/core"
import { count, duration, money, plural } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { table } from "../terminal/table.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"

export interface EvaluationTextOptions {
  readonly style: Style
  readonly width: number
  readonly baselines: EvaluationBaselines | undefined
}

/** Each evaluation: its figures by variant, what was compared, its gates, and the runs that did not pass. */
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
  const measured = Object.values(report.variants).some(({ runs }) => runs > 0)
  return [
    `${style.bold(report.file)}${measured ? style.dim(`  ${aboutText(report)}`) : ""}`,
    ...(said === "" ? [] : [said]),
    ...report.problems.map((text) => `${style.bad("✗")} ${indent(visible(text), 2).trimStart()}`),
    ...(measured
      ? [
          "",
          ...figuresText(report, options),
          ...notesText(report, options),
          ...comparedText(report, options),
          ...failedText(report, options),
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

/** What a line of the table shows of a variant's figures; undefined where it would say nothing of any. */
type Row = readonly [name: string, shown: (figures: Figures) => string | undefined]

const rowsOf = (scores: ReadonlyArray<string>): ReadonlyArray<Row> => [
  ["passed", ({ passed, pass_rate, runs }) => `${percent(pass_rate)}  ${passed} of ${runs}`],
  [
    "  95 % interval",
    ({ pass_rate_high, pass_rate_low }) => `${percent(pass_rate_low)} – ${percent(pass_rate_high)}`,
  ],
  ["  unsteady cases", ({ unsteady }) => some(unsteady)],
  ...scores.map((name): Row => [
    name,
    ({ runs, scores: all }) => {
      const score = all[name]
      if (score === undefined || score.mean === null) return "–"
      return `${number(score.mean)}${score.count < runs ? `  of ${score.count} runs` : ""}`
    },
  ]),
  ["degraded", ({ degraded }) => some(degraded)],
  ["ended in a question", ({ clarifications }) => some(clarifications)],
  [
    "failed",
    ({ failures }) =>
      Object.entries(failures)
        .map(([name, times]) => `${times} ${name}`)
        .join(", ") || undefined,
  ],
  [
    "model calls",
    ({ estimated_calls, model_calls }) =>
      model_calls === 0
        ? undefined
        : `${model_calls}${estimated_calls === 0 ? "" : ` (${estimated_calls} estimated)`}`,
  ],
  [
    "tokens in, out",
    ({ input_tokens, output_tokens }) =>
      input_tokens + output_tokens === 0
        ? undefined
        : `${count(input_tokens)}, ${count(output_tokens)}`,
  ],
  ["tool calls", ({ tool_calls }) => some(tool_calls)],
  ["cost", ({ cost }) => (cost === 0 ? undefined : money(cost))],
  [
    "time p50, p95",
    ({ ms }) => (ms.p50 === null ? undefined : `${duration(ms.p50)}, ${duration(ms.p95!)}`),
  ],
]

const some = (value: number): string | undefined => (value === 0 ? undefined : String(value))

const percent = (share: number | null): string =>
  share === null ? "–" : `${(share * 100).toFixed(1)} %`

/** Four digits that count. */
const number = (value: number): string => String(Number(value.toPrecision(4)))

const figuresText = (
  { name, variants }: EvaluationReport,
  { baselines, style, width }: EvaluationTextOptions,
): ReadonlyArray<string> => {
  const columns = Object.entries(variants).flatMap(([variant, figures]) => {
    const was = baselines?.[name]?.[variant]
    const head = variant === "default" ? "" : variant
    return was === undefined
      ? [{ head, figures }]
      : [
          { head: head === "" ? "now" : head, figures },
          { head: head === "" ? "baseline" : `${head}, baseline`, figures: was },
        ]
  })
  const scores = Object.keys(Object.values(variants)[0]?.scores ?? {})
  const rows = rowsOf(scores).flatMap(([title, shown]) => {
    const cells = columns.map(({ figures }) => shown(figures))
    return cells.every((cell) => cell === undefined) ? [] : [[title, ...cells.map((c) => c ?? "0")]]
  })
  const lines = table(
    [
      { head: "", align: "left" },
      ...columns.map(({ head }) => ({ head: oneLine(head), align: "left" as const })),
    ],
    rows,
    width - 2,
    style.dim,
  )
  // One column without a name needs no header.
  return indented(columns.length === 1 && columns[0]!.head === "" ? lines.slice(2) : lines)
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
  const said = `degraded: ${which} worked without a model: ${oneLine(because)}`
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
              `${score} ${difference > 0 ? "+" : ""}${number(difference)}: higher in ${higher}, lower in ${lower}, p = ${probability(p)}`,
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

const probability = (p: number): string => (p < 0.0001 ? "0.0001 or less" : number(p))

const gatesText = (
  { gates }: EvaluationReport,
  { style }: EvaluationTextOptions,
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
          return [`${head}${place}`, indent(style.dim(visible(message)), 4)]
        }),
      ]

const failedText = (
  { failed, repeat, variants }: EvaluationReport,
  { style }: EvaluationTextOptions,
): ReadonlyArray<string> => {
  const all = Object.values(variants).reduce((sum, one) => sum + one.failed, 0)
  if (all === 0 || failed.length === 0) return []
  const several = Object.keys(variants).length > 1
  return [
    "",
    ...failed.flatMap(({ case: called, file, line, run, unmet, variant }) => {
      const which = [...(several ? [variant] : []), ...(repeat > 1 ? [`run ${run}`] : [])]
      const of = which.length === 0 ? "" : style.dim(` (${which.join(", ")})`)
      return [
        `  ${style.bad("✗")} ${oneLine(called)}${of}  ${style.dim(`${file}:${line}`)}`,
        ...unmet.flatMap(({ assertion, message }) => [
          `      ${oneLine(assertion)}`,
          indent(style.dim(visible(message)), 8),
        ]),
      ]
    }),
    ...(failed.length < all
      ? [style.dim(`  and ${all - failed.length} more; --limit shows more, --out runs.jsonl all`)]
      : []),
  ]
}

const partialText = (
  { partial, planned, variants }: EvaluationReport,
  style: Style,
): ReadonlyArray<string> => {
  if (partial === undefined) return []
  const done = Object.values(variants).reduce((sum, one) => sum + one.runs, 0)
  const why = partial === "max_cost" ? "the money of --max-cost is spent" : "it was cancelled"
  return [
    "",
    `  ${style.warn(`partial: ${done} of ${plural(planned, "run")} had ended when ${why}`)}`,
  ]
}

const indent = (text: string, by: number): string =>
  text
    .split("\n")
    .map((line) => `${" ".repeat(by)}${line}`)
    .join("\n")

const indented = (lines: ReadonlyArray<string>, by = 2): ReadonlyArray<string> =>
  lines.map((line) => indent(line, by))
