/** Counts values per interval. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { attempt, refused, type DataFailed } from "../DataFailed.ts"
import { extend, many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { readColumn } from "../table/read.ts"
import { isNumeric, type Table } from "../table/Table.ts"
import { titleOf } from "../table/wording.ts"
import { binning, binParams } from "./binning.ts"
import { groupByParam } from "./params.ts"

/** The named column, or the last number column. Throws `DataFailed`. */
export const numberIn = (table: Table, name: string | undefined) => {
  const column =
    name === undefined
      ? table.columns.findLast(isNumeric)
      : readColumn(name, table.columns, "column")
  if (column === undefined) throw refused("the table has no number to look at")
  if (!isNumeric(column))
    throw refused(`${JSON.stringify(column.name)} holds ${column.type}s, not numbers`, {
      column: column.name,
      type: column.type,
    })
  return column
}

export const histogram: DataTool = {
  tool: {
    name: "histogram",
    summary: "Counts how many values of a number lie in each of equal intervals.",
    capabilities: ["histogram", "distribution", "binning"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        column: {
          type: "string",
          role: "column",
          description: "The number; the last number column unless given.",
        },
        ...binParams,
        group_by: { ...groupByParam, description: "Counts for each group of these columns." },
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const column = yield* attempt(() => numberIn(table, optional(invocation, "column")))
    const { notes, ...bins } = yield* binning(table, column, invocation)
    const group_by = many(invocation, "group_by")
    return yield* extend(table, [{ op: "bins", column: column.name, group_by, ...bins }], {
      title: () => `Distribution of ${titleOf(column).toLowerCase()}`,
      notes,
    })
  }),
}
