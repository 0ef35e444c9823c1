/** Table of an evaluation's figures, with one column per variant. */
import type { EvaluationReport, Figures } from "@planloom/testing"
import { count, duration, money, plural } from "../terminal/quantity.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import type { EvaluationTextOptions } from "./EvaluationTextOptions.ts"

/** Name and cell of a row; the row is left out if the cell is undefined for all variants. */
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
      return `${shortNumber(score.mean)}${score.count < runs ? `  of ${score.count} runs` : ""}`
    },
  ]),
  ["requirement coverage", ({ planning }) => rate(planning.requirement_coverage_rate)],
  ["coverage of the truth", ({ planning }) => rate(planning.truth_coverage_rate)],
  ["unjustified steps", ({ planning }) => rate(planning.unjustified_step_rate)],
  ["tools missed by narrowing", ({ planning }) => rate(planning.tool_retrieval_miss_rate)],
  ["repaired steps", ({ planning }) => rate(planning.plan_repair_rate)],
  [
    "calibration error",
    ({ calibration: { count: answers, expected_calibration_error: error } }) =>
      error === null ? undefined : `${shortNumber(error)}  of ${plural(answers, "answer")}`,
  ],
  [
    "Brier score",
    ({ calibration: { brier_score: score } }) => (score === null ? undefined : shortNumber(score)),
  ],
  ["replies usable at once", ({ parse_success_rate }) => rate(parse_success_rate)],
  ["degraded", ({ degraded }) => some(degraded)],
  ["runs with misses", ({ missed }) => some(missed)],
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

const rate = (share: number | null): string | undefined =>
  share === null ? undefined : percent(share)

const some = (value: number): string | undefined => (value === 0 ? undefined : String(value))

/** Formats a share; only 1 is shown as 100 % and only 0 as 0 %. */
const percent = (share: number | null): string => {
  if (share === null) return "–"
  const short = (share * 100).toFixed(1)
  const rounds = (short === "100.0" && share < 1) || (short === "0.0" && share > 0)
  return `${rounds ? (share * 100).toFixed(2) : short} %`
}

/** Rounds to four significant digits. */
export const shortNumber = (value: number): string => String(Number(value.toPrecision(4)))

/** Returns the table: one row per figure, one column per variant and its baseline. */
export const figuresTable = (
  { name, variants }: EvaluationReport,
  { baselines, style, width }: EvaluationTextOptions,
): ReadonlyArray<string> => {
  const columns = Object.entries(variants).flatMap(([variant, figures]) => {
    const baseline =
      baselines !== undefined && Object.hasOwn(baselines, name) ? baselines[name] : undefined
    const was =
      baseline !== undefined && Object.hasOwn(baseline, variant) ? baseline[variant] : undefined
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
    return cells.every((cell) => cell === undefined) ? [] : [[title, ...cells.map((c) => c ?? "–")]]
  })
  const lines = table(
    [
      { head: "", align: "left" },
      ...columns.map(({ head }) => ({ head: oneLine(head), align: "left" as const })),
    ],
    rows,
    width,
    style.dim,
  )
  // A single unnamed column needs no header.
  return columns.length === 1 && columns[0]!.head === "" ? lines.slice(2) : lines
}
