/** Pivots the values of one column into columns, with one number per cell. */
import { refused } from "../../DataFailed.ts"
import type { Pivot } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readColumn, readColumns, readList, readText } from "../read.ts"
import { identifier, text } from "../sql.ts"
import type { Column } from "../Table.ts"
import { decodeMeasures, measureColumn, measureSql } from "./aggregate.ts"

/** Maximum columns of a pivot. */
export const MAX_COLUMNS = 100

/** A value as text, for comparison in the statement. */
export const acrossSql = (column: string): string => `CAST(${identifier(column)} AS VARCHAR)`

/** Headers of dates at their grain: `2023`, `2023-05`. */
const heading = (value: string | null, { grain }: Column): string => {
  if (value === null || value === "") return "(missing)"
  if (grain === "year") return value.slice(0, 4)
  if (grain === "quarter")
    return `${value.slice(0, 4)} Q${Math.ceil(Number(value.slice(5, 7)) / 3)}`
  return grain === "month" ? value.slice(0, 7) : value
}

const headings = (op: Pivot, columns: ReadonlyArray<Column>): ReadonlyArray<string> => {
  const across = columns.find(({ name }) => name === op.across)!
  const taken = [...op.rows]
  return op.values.map((value) => {
    const name = freeName(heading(value, across), taken)
    taken.push(name)
    return name
  })
}

export const pivot: OperationKind<Pivot> = {
  reduces: true,
  decode: (raw, columns) => {
    const across = readColumn(raw["across"], columns, "across").name
    const values = readList(raw["values"], "values").map((value) =>
      value === null ? null : readText(value, "values"),
    )
    if (values.length === 0) throw refused(`${JSON.stringify(across)} has no values`)
    if (values.length > MAX_COLUMNS)
      throw refused(`a pivot makes at most ${MAX_COLUMNS} columns, not ${values.length}`)
    const rows = readColumns(raw["rows"], columns, "rows").map(({ name }) => name)
    if (rows.includes(across)) throw refused("a column goes down the rows or across, not both")
    return {
      op: "pivot",
      rows,
      across,
      values: [...new Set(values)],
      measure: decodeMeasures([raw["measure"]], columns)[0]!,
    }
  },
  columns: (op, columns) => {
    const { type } = measureColumn(op.measure, columns)
    return [
      ...op.rows.map((name) => columns.find((column) => column.name === name)!),
      ...headings(op, columns).map((name) => ({ name, type })),
    ]
  },
  sql: (op, columns, from) => {
    const names = headings(op, columns)
    const cells = op.values.map((value, index) => {
      const test = value === null ? "k IS NULL" : `k = ${text(value)}`
      return `any_value(m) FILTER (WHERE ${test}) AS ${identifier(names[index]!)}`
    })
    const keys = op.rows.map((name, index) => `${identifier(name)} AS g${index}, `).join("")
    const back = op.rows.map((name, index) => `g${index} AS ${identifier(name)}`)
    const places = op.rows.map((_, index) => index + 1).join(", ")
    // One pass aggregates the rows per cell, so that the data to pivot is small.
    const long = `SELECT ${keys}${acrossSql(op.across)} AS k, ${measureSql(op.measure, columns)} AS m FROM ${from} GROUP BY ALL`
    return `SELECT ${[...back, ...cells].join(", ")} FROM (${long})${
      places === "" ? "" : ` GROUP BY ${places} ORDER BY ${places}`
    }`
  },
}
