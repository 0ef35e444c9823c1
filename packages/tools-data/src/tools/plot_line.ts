/** A line chart: how numbers develop, usually over time. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin"
import { attempt } from "../DataFailed.ts"
import { many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { lineSpec } from "../chart/lineSpec.ts"
import { plot } from "../chart/plot.ts"
import { chartData, rolesOf } from "../chart/Series.ts"
import { chartParams } from "./params.ts"

export const plot_line: DataTool = {
  tool: {
    name: "plot_line",
    summary: "Draws a line chart of one or more numbers, one line per group.",
    capabilities: ["plot", "line", "time_series", "trend", "chart"],
    inputs: { table: "table" },
    params: chartParams("The column along the bottom, usually dates."),
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
    const { rows, roles } = yield* chartData(table, wanted)
    const chart: Json = yield* plot(lineSpec, rows, roles, optional(invocation, "title"))
    return chart
  }),
}
