/** Resolves the column, groups and dates of a requested series from the arguments and the table. */
import type { ToolInvocation } from "@planloom/plugin/effect"
import { grains } from "@planloom/tables"
import { refused } from "../DataFailed.ts"
import { many, optional } from "../DataTool.ts"
import { isNumeric } from "../table/Table.ts"
import type { Column, Table } from "../table/Table.ts"
import { freeName, readColumn, readColumns } from "../table/read.ts"
import type { SeriesRequest } from "./asSeries.ts"

const timeOf = (table: Table, invocation: ToolInvocation): Column => {
  const given = optional(invocation, "time_column")
  if (given !== undefined) return readColumn(given, table.columns, "time_column")
  const dates = table.columns.filter(({ type }) => type === "date")
  if (dates.length === 1) return dates[0]!
  throw refused(
    dates.length === 0
      ? "the table has no dates: a series goes by time"
      : `the table has several columns of dates: name one of ${dates.map(({ name }) => name).join(", ")} as time_column`,
    { columns: table.columns.map(({ name }) => name) },
  )
}

/** Column of the row count, unless the table has one of that name. */
const rowCount = (table: Table): Column => ({
  name: freeName(
    "count",
    table.columns.map(({ name }) => name),
  ),
  type: "integer",
  label: "number of rows",
})

/** Counting without a column counts rows. Throws `DataFailed`. */
export const seriesRequest = (
  table: Table,
  invocation: ToolInvocation,
): SeriesRequest & { readonly columns: readonly [Column] } => {
  const given = optional(invocation, "column")
  const counts = given === undefined && optional(invocation, "agg") === "count"
  // An already counted series contains its counts.
  const counted = table.columns.find(({ name }) => name === "count")
  const column = counts
    ? (counted ?? rowCount(table))
    : given === undefined
      ? table.columns.findLast(isNumeric)
      : readColumn(given, table.columns, "column")
  if (column === undefined) throw refused("the table has no number to look at")
  const grain = optional(invocation, "time_grain")
  return {
    columns: [column],
    groups: readColumns(many(invocation, "group_by"), table.columns, "group_by"),
    time: timeOf(table, invocation),
    grain: grains.find((each) => each === grain),
    agg: counts && counted !== undefined ? "sum" : (optional(invocation, "agg") ?? "sum"),
    rows: counts && counted === undefined,
  }
}
