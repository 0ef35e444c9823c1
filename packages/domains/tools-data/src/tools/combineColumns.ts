/** Makes a tool that computes one number of two columns per group: their ratio or their difference. */
import * as Effect from "effect/Effect"
import { attempt, refused } from "../DataFailed.ts"
import { extend, many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { aggregations, type Combine } from "../table/Operation.ts"
import { titleOf } from "../table/wording.ts"
import { dividing, divisionParams } from "./divideRows.ts"

export const combineColumns = (
  how: Combine["how"],
  about: { readonly summary: string; readonly capabilities: ReadonlyArray<string> },
): DataTool => ({
  tool: {
    name: how,
    ...about,
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        metrics: {
          type: "array",
          items: { type: "string" },
          minItems: 2,
          maxItems: 2,
          role: "metrics",
          description: "The two number columns, in the order of the computation.",
        },
        agg: {
          type: "string",
          enum: [...aggregations],
          default: "sum",
          role: "agg",
          description: "What to compute of each column before they are combined.",
        },
        ...divisionParams,
      },
      required: ["metrics"],
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const { group_by, raws, time } = yield* attempt(() => dividing(table, invocation))
    const columns = many(invocation, "metrics")
    if (columns.length !== 2) return yield* refused(`${how} needs two columns`)
    const agg = optional(invocation, "agg") ?? "sum"
    const measures = columns.map((column, index) => ({ column, agg, as: `measure_${index}` }))
    return yield* extend(
      table,
      [...raws, { op: "combine", measures, how, as: how, group_by, time }],
      { title: (after) => titleOf(after.at(-1)!) },
    )
  }),
})
