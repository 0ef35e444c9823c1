/** Adds the weekday, the hour or another recurring part of a date. */
import * as Effect from "effect/Effect"
import { attempt } from "../DataFailed.ts"
import { extend, optional, tableIn, type DataTool } from "../DataTool.ts"
import { timeParts } from "../table/Operation.ts"

export const time_part: DataTool = {
  tool: {
    name: "time_part",
    summary:
      "Adds a recurring part of a date as a column: weekday, hour of the day, month of the year.",
    capabilities: ["time_part", "datetime"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        column: { type: "string", role: "time_column", description: "The date column." },
        part: {
          type: "string",
          enum: [...timeParts],
          role: "time_part",
          description: "Which part: weekday and month as English names, the others as numbers.",
        },
        as: {
          type: "string",
          minLength: 1,
          role: "result",
          description: "The name of the new column; the part's unless given.",
        },
      },
      required: ["column", "part"],
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "transform",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const column = optional(invocation, "column")
    const part = optional(invocation, "part")
    const as = optional(invocation, "as") ?? part
    return yield* extend(table, [{ op: "time_part", column, part, as }])
  }),
}
