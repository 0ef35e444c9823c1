/** Draws a scatter plot of two numbers with the line of best fit. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { attempt, refused, type DataFailed } from "../DataFailed.ts"
import { optional, tableIn, type DataTool } from "../DataTool.ts"
import { chartRows, fieldOf } from "../chart/Field.ts"
import { scatterSpec } from "../chart/scatterSpec.ts"
import { palette } from "../chart/theme.ts"
import { toChart } from "../chart/toChart.ts"
import { readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { readColumn } from "../table/read.ts"
import { identifier } from "../table/sql.ts"
import type { Column, Table } from "../table/Table.ts"
import { titleOf } from "../table/wording.ts"
import { numberIn } from "./histogram.ts"
import { titleParam } from "./params.ts"

/** Maximum number of dots; more would be unreadable and make a large file. */
const MAX_DOTS = 2000

/** Least squares over all rows, and a deterministic sample of them. */
const read = (table: Table, x: Column, y: Column, color: Column | undefined) =>
  withLineage(table, (opened) =>
    Effect.gen(function* () {
      const [a, b] = [x, y].map(({ name }) => `CAST(${identifier(name)} AS DOUBLE)`)
      const both = `isfinite(${a}) AND isfinite(${b})`
      const { rows: facts } = yield* readRowsSql(
        opened,
        (from) =>
          `SELECT count(*) AS n, corr(${b}, ${a}) AS r, regr_slope(${b}, ${a}) AS slope, regr_intercept(${b}, ${a}) AS start, min(${a}) AS low, max(${a}) AS high FROM ${from} WHERE ${both}`,
      )
      const shade = color === undefined ? "NULL" : identifier(color.name)
      const { rows } = yield* readRowsSql(
        opened,
        (from) =>
          `SELECT x, y, c FROM (SELECT x, y, c, row_number() OVER (ORDER BY hash(x, y, c, k), x, y, c) AS i FROM (SELECT ${a} AS x, ${b} AS y, ${shade} AS c, row_number() OVER (PARTITION BY ${a}, ${b}, ${shade}) AS k FROM ${from} WHERE ${both})) WHERE i <= ${MAX_DOTS} ORDER BY i`,
      )
      return { facts: facts[0]!, rows }
    }),
  )

const round = (value: unknown): string =>
  Number(value).toLocaleString("en-US", { maximumSignificantDigits: 4 })

export const plot_scatter: DataTool = {
  tool: {
    name: "plot_scatter",
    summary: "Draws a scatter plot of two numbers, one dot per row, with the line that fits best.",
    capabilities: ["plot", "scatter", "correlation", "chart"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        x: { type: "string", role: "x", description: "The number along the bottom." },
        y: { type: "string", role: "y", description: "The number up the side." },
        color: { type: "string", role: "color", description: "The column that colours the dots." },
        title: titleParam,
      },
      required: ["x", "y"],
      additionalProperties: false,
    },
    outputs: ["chart"],
    group: "chart",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const x = yield* attempt(() => numberIn(table, optional(invocation, "x")))
    const y = yield* attempt(() => numberIn(table, optional(invocation, "y")))
    const by = optional(invocation, "color")
    const shade =
      by === undefined ? undefined : yield* attempt(() => readColumn(by, table.columns, "color"))
    const { facts, rows } = yield* read(table, x, y, shade)
    const count = Number(facts["n"])
    if (count === 0)
      return yield* refused(
        `no row has both ${JSON.stringify(x.name)} and ${JSON.stringify(y.name)}`,
        { rows: 0 },
      )
    const fields = [x, y, ...(shade === undefined ? [] : [shade])].map(fieldOf)
    const [across, up, color] = fields as [
      (typeof fields)[0],
      (typeof fields)[0],
      (typeof fields)[0]?,
    ]
    const named = rows.map((row) => ({
      [x.name]: row["x"]!,
      [y.name]: row["y"]!,
      ...(shade === undefined ? {} : { [shade.name]: row["c"]! }),
    }))
    let drawn = chartRows(named, [across, up], color === undefined ? [] : [color])
    const sizes = new Map<string, number>()
    if (color !== undefined)
      for (const row of drawn)
        sizes.set(String(row[color.name]), (sizes.get(String(row[color.name])) ?? 0) + 1)
    const kept = [...sizes.keys()]
      .toSorted((a, b) => sizes.get(b)! - sizes.get(a)!)
      .slice(0, palette.length)
    if (color !== undefined) drawn = drawn.filter((row) => kept.includes(String(row[color.name])))
    // For a constant DuckDB returns NaN for both.
    const r = Number(facts["r"] ?? Number.NaN)
    const fitted =
      Number.isFinite(r) && Number.isFinite(Number(facts["slope"])) && x.name !== y.name
    const ends: ReadonlyArray<JsonObject> = fitted
      ? [facts["low"], facts["high"]].map((at) => ({
          [across.name]: Number(at),
          [up.name]: Number(facts["start"]) + Number(facts["slope"]) * Number(at),
          line: true,
        }))
      : []
    const notes = [
      ...(fitted
        ? [
            `Line: least squares over all rows, ${round(facts["slope"])} ${y.name} per ${x.name}; r = ${r.toFixed(2)}.`,
          ]
        : []),
      ...(count > MAX_DOTS
        ? [`Dots: ${MAX_DOTS.toLocaleString("en-US")} of ${count.toLocaleString("en-US")} rows.`]
        : []),
      ...(sizes.size > kept.length
        ? [`Shows the ${kept.length} largest of ${sizes.size} by ${color!.title.toLowerCase()}.`]
        : []),
    ]
    const title =
      optional(invocation, "title") ??
      `${titleOf(y)} against ${titleOf(x).toLowerCase()}${shade === undefined ? "" : ` by ${titleOf(shade).toLowerCase()}`}`
    return yield* toChart({
      title,
      notes,
      rows: [...drawn, ...ends],
      spec: scatterSpec({
        x: across,
        y: up,
        color,
        colors: kept.toSorted(),
        rows: drawn,
        fitted,
      }),
      alt: `Scatter plot: ${title}. ${count.toLocaleString("en-US")} rows${Number.isFinite(r) ? `, correlation ${r.toFixed(2)}` : ""}.`,
    })
  }),
}
