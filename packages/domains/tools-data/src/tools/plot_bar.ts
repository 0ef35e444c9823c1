/** Draws a bar chart of numbers per category. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { attempt } from "../DataFailed.ts"
import { many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { barSpec } from "../chart/barSpec.ts"
import { plot } from "../chart/plot.ts"
import { chartData, rolesOf } from "../chart/Series.ts"
import { chartParams } from "./params.ts"

const common = chartParams("The column that names the bars.")

export const plot_bar: DataTool = {
  tool: {
    name: "plot_bar",
    summary: "Draws a bar chart of one or more numbers per category, grouped or stacked.",
    capabilities: ["plot", "bar", "stacked_bar", "grouped_bar", "categorical", "compare", "chart"],
    inputs: { table: "table" },
    params: {
      ...common,
      properties: {
        ...common.properties,
        mode: {
          type: "string",
          enum: ["grouped", "stacked"],
          default: "grouped",
          role: "mode",
          description: "How bars of one category stand to each other when there is a color.",
        },
      },
    },
    outputs: ["chart"],
    group: "chart",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const x =
      optional(invocation, "x") ??
      table.columns.find(({ type }) => type === "string" || type === "boolean")?.name
    const wanted = yield* attempt(() =>
      rolesOf(table, {
        x,
        y: many(invocation, "y"),
        series: [...many(invocation, "color"), ...many(invocation, "facet")],
      }),
    )
    const { rows, roles } = yield* chartData(table, wanted)
    const mode = optional(invocation, "mode") === "stacked" ? "stacked" : "grouped"
    const chart: Json = yield* plot(barSpec(mode), rows, roles, optional(invocation, "title"))
    return chart
  }),
}
