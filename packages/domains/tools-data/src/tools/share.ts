/** Adds each group's share of the whole. */
import * as Effect from "effect/Effect"
import { attempt, refused } from "../DataFailed.ts"
import { extend, many, metricsIn, tableIn, type DataTool } from "../DataTool.ts"
import { titleOf } from "../table/wording.ts"

export const share: DataTool = {
  tool: {
    name: "share",
    summary: "Adds to each group what part of the whole it is, in percent.",
    capabilities: ["share", "proportion", "percentage"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        metrics: {
          type: "array",
          items: { type: "string" },
          role: "metrics",
          description: "The numbers whose parts are wanted; the last number column unless given.",
        },
        within: {
          type: "array",
          items: { type: "string" },
          description: "Columns whose groups are a whole each; the whole table unless given.",
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
    if (columns.length === 0) return yield* refused("the table has no number to divide into parts")
    const within = many(invocation, "within")
    return yield* extend(table, [{ op: "share", columns, within }], {
      title: (after) => {
        const own = after.find(({ name }) => name === columns[0])!
        const each = within.length === 0 ? "" : ` within each ${within.join(" and ")}`
        return `Share of ${titleOf(own).toLowerCase()} in %${each}`
      },
      notes: ["Where a part is negative there is no share: the parts would not add up to a whole."],
    })
  }),
}
