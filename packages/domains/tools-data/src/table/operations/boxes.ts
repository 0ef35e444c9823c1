/**
 * Box plot statistics, one row per group: quartiles (type 7 of Hyndman & Fan 1996) and whiskers to
 * the furthest values within 1.5 interquartile ranges of the box (Tukey, "Exploratory Data Analysis", 1977).
 */
import type { ColumnType } from "@planloom/tables"
import type { Boxes } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import type { Column } from "../Table.ts"
import { freeName, readColumn, readColumns, requireNumber } from "../read.ts"
import { identifier } from "../sql.ts"

const REACH = 1.5

const fields: ReadonlyArray<{ name: string; type: ColumnType; label: string; sql: string }> = [
  { name: "count", type: "integer", label: "number of values", sql: "n" },
  { name: "low", type: "number", label: "lower whisker", sql: "w[1]" },
  { name: "p25", type: "number", label: "25 % are below", sql: "q[1]" },
  { name: "median", type: "number", label: "median", sql: "q[2]" },
  { name: "p75", type: "number", label: "75 % are below", sql: "q[3]" },
  { name: "high", type: "number", label: "upper whisker", sql: "w[2]" },
  { name: "below", type: "integer", label: "values below the whiskers", sql: "b[1]" },
  { name: "above", type: "integer", label: "values above the whiskers", sql: "b[2]" },
  { name: "min", type: "number", label: "minimum", sql: "m[1]" },
  { name: "max", type: "number", label: "maximum", sql: "m[2]" },
]

const added = (op: Boxes): ReadonlyArray<Column> => {
  const taken = [...op.group_by]
  return fields.map(({ name: wanted, type, label }) => {
    const name = freeName(wanted, taken)
    taken.push(name)
    return { name, type, label }
  })
}

export const boxes: OperationKind<Boxes> = {
  reduces: true,
  decode: (raw, columns) => {
    const column = readColumn(raw["column"], columns, "column")
    requireNumber(column, "a box plot needs numbers")
    return {
      op: "boxes",
      column: column.name,
      group_by: readColumns(raw["group_by"], columns, "group_by").map(({ name }) => name),
    }
  },
  columns: (op, columns) => [
    ...op.group_by.map((name) => columns.find((column) => column.name === name)!),
    ...added(op),
  ],
  sql: (op, _, from) => {
    const names = added(op).map(({ name }) => identifier(name))
    const groups = op.group_by.map((_name, index) => `g${index}`)
    const keys = op.group_by.map((name, index) => `${identifier(name)} AS g${index}, `).join("")
    const back = op.group_by.map((name, index) => `g${index} AS ${identifier(name)}`)
    const value = `CAST(${identifier(op.column)} AS DOUBLE)`
    const over = groups.length === 0 ? "" : `PARTITION BY ${groups.join(", ")}`
    const listed = groups.map((group) => `${group}, `).join("")
    const [low, high] = [`q[1] - ${REACH} * (q[3] - q[1])`, `q[3] + ${REACH} * (q[3] - q[1])`]
    const grouped = groups.length === 0 ? "" : ` GROUP BY ${groups.join(", ")}`
    return `SELECT ${[...back, ...fields.map(({ sql }, index) => `${sql} AS ${names[index]!}`)].join(", ")} FROM (SELECT ${listed}count(*) AS n, any_value(q) AS q, [min(v) FILTER (WHERE v >= ${low}), max(v) FILTER (WHERE v <= ${high})] AS w, [count(*) FILTER (WHERE v < ${low}), count(*) FILTER (WHERE v > ${high})] AS b, [min(v), max(v)] AS m FROM (SELECT *, quantile_cont(v, [0.25, 0.5, 0.75]) OVER (${over}) AS q FROM (SELECT ${keys}${value} AS v FROM ${from} WHERE isfinite(${value})))${grouped} HAVING count(*) > 0)${groups.length === 0 ? "" : ` ORDER BY ${groups.join(", ")}`}`
  },
}
