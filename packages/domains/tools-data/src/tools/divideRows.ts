/** Parameters of tools that compute one number per group and unit of time, and their reading. */
import type { ToolInvocation } from "@planloom/plugin/effect"
import { grains } from "@planloom/tables"
import { refused } from "../DataFailed.ts"
import { many, optional } from "../DataTool.ts"
import type { Aggregate } from "../table/Operation.ts"
import type { Table } from "../table/Table.ts"
import { grainParam, groupByParam } from "./params.ts"

export const divisionParams = {
  group_by: groupByParam,
  time_column: {
    type: "string",
    role: "time_column",
    description: "A date column to cut into units of time.",
  },
  time_grain: grainParam("The unit of time; month unless given. Weeks begin on Monday."),
} as const

/** Text in the time column is first parsed as dates, in the forms that need no format. */
const parsing = (table: Table, time: string | undefined): ReadonlyArray<unknown> => {
  const column = table.columns.find(({ name }) => name === time)
  return column !== undefined && (column.type === "string" || column.type === "integer")
    ? [{ op: "parse_datetime", column: time, formats: [], to: "date" }]
    : []
}

/** The groups and the time of a call, and the operations before grouping. */
export const dividing = (
  table: Table,
  invocation: ToolInvocation,
): {
  readonly group_by: ReadonlyArray<unknown>
  readonly time: Aggregate["time"]
  readonly raws: ReadonlyArray<unknown>
} => {
  const column = optional(invocation, "time_column")
  const written = optional(invocation, "time_grain")
  if (column === undefined && written !== undefined) throw refused("time_grain needs a time_column")
  const grain = grains.find((one) => one === written) ?? "month"
  return {
    group_by: many(invocation, "group_by"),
    time: column === undefined ? null : { column, grain },
    raws: parsing(table, column),
  }
}
