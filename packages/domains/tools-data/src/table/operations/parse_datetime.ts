/** Converts text to dates by a list of formats; values that match no format become missing. */
import { refused } from "../../DataFailed.ts"
import type { ParseDatetime } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { readChoice, readColumn, readList, readText } from "../read.ts"
import { identifier, text } from "../sql.ts"

/** SQL expression; exported so that a profile can count lost values. */
export const timestampFrom = (column: string, formats: ReadonlyArray<string>): string => {
  const trimmed = `trim(${identifier(column)})`
  const iso = `TRY_CAST(${trimmed} AS TIMESTAMP)`
  return formats.length === 0
    ? iso
    : `coalesce(${iso}, try_strptime(${trimmed}, [${formats.map(text).join(", ")}]))`
}

export const parse_datetime: OperationKind<ParseDatetime> = {
  reduces: false,
  decode: (raw, columns) => {
    const column = readColumn(raw["column"], columns, "column")
    if (column.type !== "string" && column.type !== "date" && column.type !== "integer")
      throw refused(`${JSON.stringify(column.name)} holds ${column.type}s, not dates in text`)
    return {
      op: "parse_datetime",
      column: column.name,
      formats: readList(raw["formats"], "formats").map((format) => readText(format, "formats")),
      to: readChoice(raw["to"], ["date", "timestamp"], "to"),
    }
  },
  columns: (op, columns) =>
    columns.map((column) =>
      column.name === op.column ? { ...column, type: "date" as const } : column,
    ),
  sql: (op, columns, from) => {
    const column = identifier(op.column)
    const type = columns.find(({ name }) => name === op.column)?.type
    // A whole number is a year: 2023 is January 1, 2023.
    const value =
      type === "integer"
        ? `try_strptime(CAST(${column} AS VARCHAR), '%Y')`
        : type === "date"
          ? column
          : timestampFrom(op.column, op.formats)
    return `SELECT * REPLACE (CAST(${value} AS ${op.to === "date" ? "DATE" : "TIMESTAMP"}) AS ${column}) FROM ${from}`
  },
}
