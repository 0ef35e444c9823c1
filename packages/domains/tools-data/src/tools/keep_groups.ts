/** Keeps the groups whose numbers meet conditions. */
import * as Effect from "effect/Effect"
import { attempt } from "../DataFailed.ts"
import { extend, many, tableIn, type DataTool } from "../DataTool.ts"
import { filtersParam } from "./params.ts"

export const keep_groups: DataTool = {
  tool: {
    name: "keep_groups",
    summary: "Keeps the groups of an aggregated table whose numbers meet conditions.",
    capabilities: ["having", "threshold"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        having: {
          ...filtersParam,
          minItems: 1,
          role: "having",
          description:
            "Conditions on the numbers of the groups that must all hold: {column, op, value}.",
        },
      },
      required: ["having"],
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "transform",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    return yield* extend(table, [{ op: "filter", where: many(invocation, "having") }])
  }),
}
