/** Creates a cross table: groups as rows, values of another column as columns. */
import * as Effect from "effect/Effect"
import type { Json, ToolInvocation } from "@planloom/plugin/effect"
import { attempt, refused, type DataFailed } from "../DataFailed.ts"
import { extend, many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { aggregations } from "../table/Operation.ts"
import { acrossSql, MAX_COLUMNS } from "../table/operations/pivot.ts"
import { readColumn } from "../table/read.ts"
import { isNumeric, type Table } from "../table/Table.ts"
import { titleOf } from "../table/wording.ts"

/** Distinct values in natural order, missing last. */
const valuesOf = (table: Table, across: string) =>
  withLineage(table, (opened) =>
    Effect.gen(function* () {
      const { rows } = yield* readRowsSql(
        opened,
        (from) =>
          `SELECT ${acrossSql(across)} AS value FROM ${from} GROUP BY 1 ORDER BY 1 NULLS LAST LIMIT ${MAX_COLUMNS + 1}`,
      )
      if (rows.length > MAX_COLUMNS)
        return yield* refused(
          `${JSON.stringify(across)} has more than ${MAX_COLUMNS} values: filter it, or let it go down the rows`,
          { column: across },
        )
      return rows.map((row) => row["value"] ?? null)
    }),
  )

const measureOf = (table: Table, invocation: ToolInvocation, used: ReadonlyArray<unknown>) => {
  const agg = optional(invocation, "agg")
  const given = optional(invocation, "value")
  if (given === undefined && agg === "count") return { column: null, agg, as: "value" }
  const column =
    given ?? table.columns.findLast((one) => isNumeric(one) && !used.includes(one.name))?.name
  if (column === undefined) throw refused("the table has no number to put into the cells")
  return { column, agg: agg ?? "sum", as: "value" }
}

export const pivot: DataTool = {
  tool: {
    name: "pivot",
    summary:
      "Makes a cross table: groups down the rows, values of one column across, a number each.",
    capabilities: ["pivot", "crosstab", "reshape"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        rows: {
          type: "array",
          items: { type: "string" },
          description: "Columns that make the rows.",
        },
        across: {
          type: "string",
          description: "The column whose values become columns; at most 100 values.",
        },
        value: {
          type: "string",
          description: "The number in the cells; the last number column unless given.",
        },
        agg: {
          type: "string",
          enum: [...aggregations],
          default: "sum",
          description: "How the rows of one cell are put together.",
        },
      },
      required: ["rows", "across"],
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "transform",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const rows = many(invocation, "rows")
    const across = yield* attempt(() =>
      readColumn(invocation.params["across"], table.columns, "across"),
    )
    const measure = yield* attempt(() => measureOf(table, invocation, [...rows, across.name]))
    const values = yield* valuesOf(table, across.name)
    if (values.length === 0) return yield* refused("the table has no rows to pivot", { rows: 0 })
    const counted =
      measure.column === null ? "number of rows" : `${measure.agg} of ${measure.column}`
    return yield* extend(table, [{ op: "pivot", rows, across: across.name, values, measure }], {
      title: () =>
        `${counted[0]!.toUpperCase()}${counted.slice(1)} by ${[...rows, titleOf(across).toLowerCase()].join(" and ")}`,
    })
  }),
}
