/** Converts text such as `$1,200.50`, `1.200,50 €` or `12 %` to numbers; other values become missing. */
import { refused } from "../../DataFailed.ts"
import type { ParseNumber } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { readChoice, readColumn } from "../read.ts"
import { identifier } from "../sql.ts"

/** Groups must be complete: `1,5` is not fifteen. */
const shapes = {
  ".": "[+-]?(\\d{1,3}(,\\d{3})+|\\d*)(\\.\\d*)?([eE][+-]?\\d+)?",
  ",": "[+-]?(\\d{1,3}(\\.\\d{3})+|\\d*)(,\\d*)?([eE][+-]?\\d+)?",
}

/** SQL expression; exported so that a profile can count lost values. */
export const numberFrom = (column: string, decimal: "." | ","): string => {
  const bare = `regexp_replace(trim(${identifier(column)}), '[\\s$€£¥%''_\u00a0\u202f]', '', 'g')`
  const signed = `regexp_replace(${bare}, '^\\((.*)\\)$', '-\\1')`
  const plain =
    decimal === "."
      ? `replace(${signed}, ',', '')`
      : `replace(replace(${signed}, '.', ''), ',', '.')`
  return `CASE WHEN regexp_full_match(${signed}, '${shapes[decimal]}') THEN TRY_CAST(${plain} AS DOUBLE) END`
}

export const parse_number: OperationKind<ParseNumber> = {
  reduces: false,
  decode: (raw, columns) => {
    const column = readColumn(raw["column"], columns, "column")
    if (column.type !== "string") throw refused(`${JSON.stringify(column.name)} is not text`)
    return {
      op: "parse_number",
      column: column.name,
      decimal: readChoice(raw["decimal"], [".", ","], "decimal"),
    }
  },
  columns: (op, columns) =>
    columns.map((column) =>
      column.name === op.column ? { ...column, type: "number" as const } : column,
    ),
  sql: (op, _, from) =>
    `SELECT * REPLACE (${numberFrom(op.column, op.decimal)} AS ${identifier(op.column)}) FROM ${from}`,
}
