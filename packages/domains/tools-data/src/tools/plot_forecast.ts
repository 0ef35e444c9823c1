/** Draws a series and its forecast. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { attempt, refused, type DataFailed } from "../DataFailed.ts"
import { appended, optional, tableIn, type DataTool } from "../DataTool.ts"
import { categoryName } from "../chart/Field.ts"
import { forecastSpec } from "../chart/forecastSpec.ts"
import { toChart } from "../chart/toChart.ts"
import { readRows, withLineage } from "../duckdb/evaluate.ts"
import { columnsAlong } from "../table/operations.ts"
import { titleOf } from "../table/wording.ts"
import { forecasting, forecastParams } from "./forecasting.ts"
import { titleParam } from "./params.ts"

const MAX_PANELS = 12
/** Maximum points per series at the chart's width. */
const MAX_POINTS = 400

const instant = (iso: Json | undefined): number =>
  Date.parse(String(iso).length > 10 ? `${String(iso)}Z` : `${String(iso)}T00:00:00Z`)

/** Rows of one series: actual values, then the forecast, connected to the last actual value. */
const marks = (group: string, rows: ReadonlyArray<JsonObject>, names: ReadonlyArray<string>) => {
  const [time, value, fit, low, high] = names as [string, string, string, string, string]
  const past = rows.filter((row) => (row[fit] ?? null) === null).slice(-MAX_POINTS)
  const ahead = rows.filter((row) => (row[fit] ?? null) !== null)
  const last = past.findLast((row) => (row[value] ?? null) !== null)
  const tie =
    last === undefined
      ? []
      : [
          { t: instant(last[time]), group, kind: "forecast", value: last[value]! },
          { t: instant(last[time]), group, low: last[value]!, high: last[value]! },
        ]
  return [
    ...past.map((row) => ({
      t: instant(row[time]),
      group,
      kind: "actual",
      value: row[value] ?? null,
    })),
    ...tie,
    ...ahead.flatMap((row) => [
      { t: instant(row[time]), group, kind: "forecast", value: row[fit]! },
      ...((row[low] ?? null) === null
        ? []
        : [{ t: instant(row[time]), group, low: row[low]!, high: row[high]! }]),
    ]),
  ]
}

export const plot_forecast: DataTool = {
  tool: {
    name: "plot_forecast",
    summary: "Draws a series with its forecast and the interval it should stay in.",
    capabilities: ["plot", "forecast", "line", "chart"],
    inputs: { table: "table" },
    params: {
      ...forecastParams,
      properties: {
        ...forecastParams.properties,
        title: titleParam,
      },
    },
    outputs: ["chart"],
    group: "chart",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const made = yield* forecasting(table, invocation, true)
    const lineage = yield* attempt(() => appended(table, made.raws))
    const { rows, total } = yield* withLineage(lineage, (opened) => readRows(opened, 20_000))
    const columns = columnsAlong(lineage).at(-1)!
    const groups = columns.slice(1, 1 + made.groups.length)
    const names = [columns[0]!, ...columns.slice(1 + groups.length)].map(({ name }) => name)
    const nameOf = (row: JsonObject): string =>
      groups.map((column) => categoryName(row[column.name] ?? null, column)).join(", ")
    const series = Map.groupBy(rows, nameOf)
    if (series.size > MAX_PANELS || total > rows.length)
      return yield* refused(
        `there are more than ${MAX_PANELS} series to draw: filter the table or group by less`,
        { series: series.size },
      )
    const drawn = [...series].flatMap(([name, own]) => marks(name, own, names))
    const numbers = drawn.flatMap((row) =>
      "value" in row
        ? row.value === null
          ? []
          : [Number(row.value)]
        : [Number(row.low), Number(row.high)],
    )
    const value = titleOf(columns[1 + groups.length]!)
    const by = groups.length === 0 ? "" : ` by ${groups.map(titleOf).join(" and ").toLowerCase()}`
    const title =
      optional(invocation, "title") ?? `Forecast of ${value.toLowerCase()} per ${made.grain}${by}`
    const ahead = rows.filter((row) => (row[names[2]!] ?? null) !== null)
    const level = Number(invocation.params["level"] ?? 95)
    const formatted = (one: unknown): string =>
      Number(one).toLocaleString("en-US", { maximumFractionDigits: 2 })
    return yield* toChart({
      title,
      notes: [`${made.notes[0]!.split(".")[0]!}. Shaded: where ${level} % of outcomes should lie.`],
      rows: drawn,
      spec: forecastSpec({
        time: columns[0]!,
        timeTitle: titleOf(columns[0]!),
        valueTitle: value,
        panels: [...series.keys()],
        points: new Set(drawn.map(({ t }) => t)).size,
        largest: Math.max(...numbers.map(Math.abs)),
        low: Math.min(...numbers),
        level,
      }),
      alt: `Line chart: ${title}. ${ahead
        .slice(0, 12)
        .map(
          (row) =>
            `${[String(row[names[0]!]), ...(by === "" ? [] : [nameOf(row)])].join(" ")}: ${formatted(row[names[2]!])}`,
        )
        .join("; ")}.`,
    })
  }),
}
