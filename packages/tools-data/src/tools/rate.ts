/** Computes what share of the rows meets conditions. */
import * as Effect from "effect/Effect"
import { attempt } from "../DataFailed.ts"
import { extend, many, tableIn, type DataTool } from "../DataTool.ts"
import { titleOf } from "../table/wording.ts"
import { dividing, divisionParams } from "./divideRows.ts"
import { filtersParam } from "./params.ts"

export const rate: DataTool = {
  tool: {
    name: "rate",
    summary:
      "Computes what share of the rows, or of a number, meets conditions, in percent, in all or per group.",
    capabilities: ["rate", "per_group"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        of: {
          ...filtersParam,
          minItems: 1,
          role: "part",
          description: `What the rows must meet to count. ${filtersParam.description}`,
        },
        metrics: {
          type: "array",
          items: { type: "string" },
          maxItems: 1,
          role: "metrics",
          description: "The number whose share is computed; the rows are counted unless given.",
        },
        ...divisionParams,
      },
      required: ["of"],
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const { group_by, raws, time } = yield* attempt(() => dividing(table, invocation))
    const where = many(invocation, "of")
    const [weight = null] = many(invocation, "metrics")
    return yield* extend(table, [...raws, { op: "rate", where, weight, group_by, time }], {
      title: (columns) => titleOf(columns.at(-3)!),
    })
  }),
}
