/** Adds a recurring part of a date: its weekday, hour of the day, month of the year. */
import { refused } from "../../DataFailed.ts"
import { timeParts, type Part, type TimePart } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readChoice, readColumn, readText } from "../read.ts"
import { identifier } from "../sql.ts"

const partSql: { readonly [part in Part]: (at: string) => string } = {
  weekday: (at) => `dayname(${at})`,
  hour: (at) => `CAST(hour(${at}) AS INTEGER)`,
  month: (at) => `monthname(${at})`,
  quarter: (at) => `CAST(quarter(${at}) AS INTEGER)`,
  day: (at) => `CAST(day(${at}) AS INTEGER)`,
}

export const time_part: OperationKind<TimePart> = {
  reduces: false,
  decode: (raw, columns) => {
    const column = readColumn(raw["column"], columns, "column")
    if (column.type !== "date")
      throw refused(
        `${JSON.stringify(column.name)} holds ${column.type}s, not dates: parse it with parse_datetime first`,
        { column: column.name, type: column.type },
      )
    const taken = columns.map(({ name }) => name)
    return {
      op: "time_part",
      column: column.name,
      part: readChoice(raw["part"], timeParts, "part"),
      as: freeName(readText(raw["as"], "as"), taken),
    }
  },
  columns: (op, columns) => [
    ...columns,
    {
      name: op.as,
      type: op.part === "weekday" || op.part === "month" ? "string" : "integer",
      label: op.as.replaceAll("_", " "),
    },
  ],
  sql: (op, _, from) =>
    `SELECT *, ${partSql[op.part](identifier(op.column))} AS ${identifier(op.as)} FROM ${from}`,
}
