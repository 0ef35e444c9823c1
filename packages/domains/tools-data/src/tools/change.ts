/** Adds to each group or period the change since the one before it. */
import * as Effect from "effect/Effect"
import { attempt, refused } from "../DataFailed.ts"
import { extend, many, metricsIn, optional, tableIn, type DataTool } from "../DataTool.ts"
import { titleOf } from "../table/wording.ts"

export const change: DataTool = {
  tool: {
    name: "change",
    summary: "Adds to each period or group the change since the one before it, also in percent.",
    capabilities: ["change", "growth"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        metrics: {
          type: "array",
          items: { type: "string" },
          role: "metrics",
          description: "The numbers whose change is wanted; the last number column unless given.",
        },
        along: {
          type: "string",
          role: "x",
          description: "The column that orders the rows; the first column unless given.",
        },
        within: {
          type: "array",
          items: { type: "string" },
          role: "color",
          description: "Columns whose groups are compared with themselves only.",
        },
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const columns = metricsIn(invocation, table)
    const along = optional(invocation, "along") ?? table.columns[0]?.name
    if (columns.length === 0) return yield* refused("the table has no number to compare")
    const within = many(invocation, "within")
    return yield* extend(table, [{ op: "change", columns, along, within }], {
      title: (after) => titleOf(after.at(-2)!),
    })
  }),
}
