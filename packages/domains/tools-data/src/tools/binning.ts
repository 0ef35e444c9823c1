/**
 * Chooses bins for a number. Their width follows Freedman & Diaconis ("On the Histogram as a Density
 * Estimator", 1981): 2 · IQR / ∛n, rounded to 1, 2, 2.5 or 5 times a power of ten, for 8 to 48 bins.
 */
import * as Effect from "effect/Effect"
import type { ToolInvocation } from "@planloom/plugin/effect"
import { refused } from "../DataFailed.ts"
import { readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { binEnd, MAX_BINS } from "../table/operations/bins.ts"
import { identifier, number } from "../table/sql.ts"
import type { Column, Table } from "../table/Table.ts"

const MIN_BINS = 8
const MAX_CHOSEN_BINS = 48
/** Interquartile ranges beyond which values are "far out" (Tukey 1977) and would compress the rest. */
const FAR_OUT_IQR = 3
/** Maximum share of such values to omit. */
const MAX_OMITTED_SHARE = 0.02

export const binParams = {
  bins: {
    type: "integer",
    minimum: 1,
    maximum: 100,
    description: "About how many intervals; chosen from the values unless given.",
  },
  from: { type: "number", description: "Where the first interval begins." },
  to: { type: "number", description: "Where the last interval ends." },
} as const

/** The next round width. */
const nice = (width: number, whole: boolean): number => {
  const power = 10 ** Math.floor(Math.log10(width))
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= width * 0.999_999)!
  const found = Number((step * power).toPrecision(3))
  return whole ? Math.max(1, Math.round(found)) : found
}

const look = (table: Table, column: Column) =>
  withLineage(table, (opened) =>
    Effect.gen(function* () {
      const value = `CAST(${identifier(column.name)} AS DOUBLE)`
      const { rows } = yield* readRowsSql(
        opened,
        (from) =>
          `SELECT n, a, b, q[1] AS q1, q[2] AS q3, lost, (SELECT count(*) FROM ${from} WHERE isfinite(${value}) AND ${value} < q[1] - ${FAR_OUT_IQR} * (q[2] - q[1])) AS under, (SELECT count(*) FROM ${from} WHERE isfinite(${value}) AND ${value} > q[2] + ${FAR_OUT_IQR} * (q[2] - q[1])) AS over FROM (SELECT count(v) AS n, count(*) - count(v) AS lost, min(v) AS a, max(v) AS b, quantile_cont(v, [0.25, 0.75]) AS q FROM (SELECT CASE WHEN isfinite(${value}) THEN ${value} END AS v FROM ${from}))`,
      )
      return rows[0]!
    }),
  )

const round = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 2 })

/** Notes on values outside the bins. */
const beyond = (table: Table, column: Column, start: number, end: number) =>
  withLineage(table, (opened) =>
    Effect.gen(function* () {
      const value = `CAST(${identifier(column.name)} AS DOUBLE)`
      const { rows } = yield* readRowsSql(
        opened,
        (from) =>
          `SELECT count(*) FILTER (WHERE ${value} < ${number(start)}) AS under, min(${value}) AS a, count(*) FILTER (WHERE ${value} > ${number(end)}) AS over, max(${value}) AS b FROM ${from} WHERE isfinite(${value})`,
      )
      const row = rows[0]!
      const formatted = (count: number, side: string, limit: number, furthest: unknown) =>
        count === 0
          ? []
          : [
              `${round(count)} ${count === 1 ? "value" : "values"} ${side} ${round(limit)} ${count === 1 ? "is" : "are"} not shown (${side === "above" ? "largest" : "smallest"}: ${round(Number(furthest))}).`,
            ]
      return [
        ...formatted(Number(row["under"]), "below", start, row["a"]),
        ...formatted(Number(row["over"]), "above", end, row["b"]),
      ]
    }),
  )

/** Start, width and number of bins, with notes for the reader. */
export const binning = Effect.fnUntraced(function* (
  table: Table,
  column: Column,
  invocation: ToolInvocation,
) {
  const row = yield* look(table, column)
  const [count, q1, q3] = [Number(row["n"]), Number(row["q1"]), Number(row["q3"])]
  if (count === 0)
    return yield* refused(`${JSON.stringify(column.name)} has no values to count`, { rows: 0 })
  const spread = q3 - q1
  const few = (key: string): boolean =>
    spread > 0 && Number(row[key]) > 0 && Number(row[key]) / count <= MAX_OMITTED_SHARE
  const given = (key: string): number | undefined =>
    typeof invocation.params[key] === "number" ? invocation.params[key] : undefined
  const low = given("from") ?? (few("under") ? q1 - FAR_OUT_IQR * spread : Number(row["a"]))
  const high = given("to") ?? (few("over") ? q3 + FAR_OUT_IQR * spread : Number(row["b"]))
  if (low > high) return yield* refused("from must not be above to")
  const whole = column.type === "integer"
  const natural = (2 * spread) / Math.cbrt(count)
  const wanted =
    given("bins") ??
    Math.min(
      MAX_CHOSEN_BINS,
      Math.max(MIN_BINS, natural > 0 ? Math.ceil((high - low) / natural) : MIN_BINS),
    )
  const exact = (high - low) / wanted
  // Bin ends must differ within the precision of a double and of the display.
  const least = Math.max(Math.abs(low), Math.abs(high)) * 1e-9
  const width = exact > 0 ? nice(Math.max(exact, least, 1e-300), whole) : 1
  const rounded = (value: number): number => Number(value.toPrecision(12))
  let start = given("from") ?? rounded(Math.floor(rounded(low / width)) * width)
  while (start > low && given("from") === undefined) start = rounded(start - width)
  const reach = Number(((high - start) / width).toPrecision(12))
  // Each whole number gets an interval, so the last one needs room above it.
  let bins = Math.min(MAX_BINS, Math.max(1, whole ? Math.floor(reach) + 1 : Math.ceil(reach)))
  while (binEnd({ start, width }, bins) < high && bins < MAX_BINS) bins++
  const outside = yield* beyond(table, column, start, binEnd({ start, width }, bins))
  const notes = [
    ...outside,
    ...(Number(row["lost"]) > 0 ? [`${round(Number(row["lost"]))} rows have no value.`] : []),
  ]
  return { start, width, count: bins, notes }
})
