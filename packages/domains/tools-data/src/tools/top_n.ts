/** Selects the largest or smallest rows in order. */
import * as Effect from "effect/Effect"
import { attempt, refused } from "../DataFailed.ts"
import { extend, many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { MAX_ROWS } from "../table/operations/top.ts"
import { isNumeric } from "../table/Table.ts"
import { titleOf } from "../table/wording.ts"

export const top_n: DataTool = {
  tool: {
    name: "top_n",
    summary: "Sorts rows by a column and keeps the first n, of the whole table or of each group.",
    capabilities: ["ranking", "rank", "top_n", "sort"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        order_by: {
          type: "string",
          role: "order_by",
          description: "The column to rank by; the last number column unless given.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_ROWS,
          default: 10,
          role: "limit",
          description: "How many rows to keep.",
        },
        order: {
          type: "string",
          enum: ["desc", "asc"],
          default: "desc",
          role: "order",
          description: "desc: largest first.",
        },
        within: {
          type: "array",
          items: { type: "string" },
          description: "Keep n rows of each group of these columns instead of n in all.",
        },
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "transform",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const by = optional(invocation, "order_by") ?? table.columns.findLast(isNumeric)?.name
    if (by === undefined) return yield* refused("the table has no number to rank by")
    const limit = Number(invocation.params["limit"] ?? 10)
    const within = many(invocation, "within")
    const descending = invocation.params["order"] !== "asc"
    return yield* extend(table, [{ op: "top", by, descending, limit, within }], {
      title: (columns) => {
        const measure = titleOf(columns.find(({ name }) => name === by)!).toLowerCase()
        const each = within.length === 0 ? "" : ` for each ${within.join(" and ")}`
        return `${descending ? "Top" : "Lowest"} ${limit} by ${measure}${each}`
      },
    })
  }),
}
