/** Keeps the rows that meet all conditions. */
import * as Effect from "effect/Effect"
import { attempt } from "../DataFailed.ts"
import { extend, many, tableIn, type DataTool } from "../DataTool.ts"
import { filtersParam } from "./params.ts"

export const filter: DataTool = {
  tool: {
    name: "filter",
    summary: "Keeps only the rows that meet all of the given conditions.",
    capabilities: ["filter"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: { filters: filtersParam },
      required: ["filters"],
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "transform",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    return yield* extend(table, [{ op: "filter", where: many(invocation, "filters") }])
  }),
}
