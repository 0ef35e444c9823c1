/** Draws a line chart of numbers, usually over time. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { attempt } from "../DataFailed.ts"
import { appended, many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { lineSpec } from "../chart/lineSpec.ts"
import { plot } from "../chart/plot.ts"
import { chartData, rolesOf, type Roles } from "../chart/Series.ts"
import { averageColumns } from "../table/operations/moving_average.ts"
import { columnsAlong } from "../table/operations.ts"
import type { Table } from "../table/Table.ts"
import { chartParams } from "./params.ts"

const common = chartParams("The column along the bottom, usually dates.")

/** The table with moving averages of the drawn columns, and the names of those averages. */
const smoothed = (table: Table, roles: Roles, window: number) => {
  const op = {
    op: "moving_average",
    columns: roles.y.map(({ name }) => name),
    time: roles.x.name,
    group_by: roles.series.map(({ name }) => name),
    window,
  } as const
  const lineage = appended(table, [op])
  const columns = columnsAlong(lineage).at(-1)!
  return { table: { ...table, ...lineage, columns }, smooth: averageColumns(op, table.columns) }
}

export const plot_line: DataTool = {
  tool: {
    name: "plot_line",
    summary: "Draws a line chart of one or more numbers, one line per group.",
    capabilities: ["plot", "line", "time_series", "trend", "chart"],
    inputs: { table: "table" },
    params: {
      ...common,
      properties: {
        ...common.properties,
        window: {
          type: "integer",
          minimum: 2,
          maximum: 1000,
          role: "window",
          description: "Draws the average of so many last points over each line.",
        },
      },
    },
    outputs: ["chart"],
    group: "chart",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const wanted = yield* attempt(() =>
      rolesOf(table, {
        x: optional(invocation, "x"),
        y: many(invocation, "y"),
        series: [...many(invocation, "color"), ...many(invocation, "facet")],
      }),
    )
    const title = optional(invocation, "title")
    const found = yield* chartData(table, wanted)
    const window = invocation.params["window"]
    if (typeof window !== "number")
      return (yield* plot(lineSpec, found.rows, found.roles, title)) as Json
    const averaged = yield* attempt(() => smoothed(table, found.roles, window))
    const { rows } = yield* chartData(averaged.table, found.roles)
    const roles = { ...found.roles, smooth: averaged.smooth, window }
    return (yield* plot(lineSpec, rows, roles, title)) as Json
  }),
}
