/** Mean, spread, quartiles and gaps of number columns. */
import * as Effect from "effect/Effect"
import { attempt } from "../DataFailed.ts"
import { extend, many, tableIn, type DataTool } from "../DataTool.ts"
import { measurable } from "../table/operations/summarize.ts"
import { groupByParam } from "./params.ts"

export const compute_summary_stats: DataTool = {
  tool: {
    name: "compute_summary_stats",
    summary:
      "Computes count, sum, mean, deviation, quartiles and missing values of number columns.",
    capabilities: ["summarize", "statistics", "summary", "overview"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        metrics: {
          type: "array",
          items: { type: "string" },
          role: "metrics",
          description: "The number columns; all of them unless given.",
        },
        group_by: groupByParam,
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const given = many(invocation, "metrics")
    const columns = given.length > 0 ? given : measurable(table.columns)
    const group_by = many(invocation, "group_by")
    return yield* extend(table, [{ op: "summarize", columns, group_by }], {
      title: () => `Statistics of ${columns.join(", ")}`,
    })
  }),
}
