/**
 * Linear correlation of two numbers: Pearson's r (Pearson, "Notes on Regression and
 * Inheritance", Proceedings of the Royal Society 58, 1895), over rows with both values.
 */
import { refused } from "../../DataFailed.ts"
import type { Correlation } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readChoice, readColumns, requireNumber } from "../read.ts"
import { identifier, text } from "../sql.ts"

/** Columns at most: their pairs grow with the square. */
export const MAX_COLUMNS = 40

/** A constant has no correlation: DuckDB says so with NaN, a table with nothing. */
const r = (left: string, right: string): string => {
  const [a, b] = [left, right].map((name) => `CAST(${identifier(name)} AS DOUBLE)`)
  const both = `isfinite(${a}) AND isfinite(${b})`
  const value = `corr(${a}, ${b}) FILTER (WHERE ${both})`
  return `CASE WHEN isfinite(${value}) THEN greatest(-1.0, least(1.0, ${value})) END`
}

const rows = (left: string, right: string): string => {
  const [a, b] = [left, right].map((name) => `CAST(${identifier(name)} AS DOUBLE)`)
  return `count(*) FILTER (WHERE isfinite(${a}) AND isfinite(${b}))`
}

const pairsOf = (columns: ReadonlyArray<string>) =>
  columns.flatMap((left, index) => columns.slice(index + 1).map((right) => [left, right] as const))

const pairsSql = (op: Correlation, from: string): string => {
  const pairs = pairsOf(op.columns)
  const values = pairs.flatMap(([left, right], index) => [
    `${r(left, right)} AS r${index}`,
    `${rows(left, right)} AS n${index}`,
  ])
  const structs = pairs.map(
    ([left, right], index) =>
      `{a: ${text(left)}, b: ${text(right)}, r: r${index}, n: n${index}, i: ${index}}`,
  )
  return `SELECT p.a AS "column", p.b AS "with", p.r AS "correlation", p.n AS "rows" FROM (SELECT unnest([${structs.join(", ")}]) AS p FROM (SELECT ${values.join(", ")} FROM ${from})) ORDER BY abs(p.r) DESC NULLS LAST, p.i`
}

const matrixNames = (op: Correlation): ReadonlyArray<string> => {
  const taken = ["column"]
  return op.columns.map((column) => {
    const name = freeName(column, taken)
    taken.push(name)
    return name
  })
}

const matrixSql = (op: Correlation, from: string): string => {
  const { columns } = op
  const place = (a: number, b: number): string => `r${Math.min(a, b)}_${Math.max(a, b)}`
  const values = columns.flatMap((left, a) =>
    columns.slice(a).map((right, b) => `${r(left, right)} AS ${place(a, a + b)}`),
  )
  const structs = columns.map(
    (left, a) =>
      `{c: ${text(left)}, i: ${a}, ${columns.map((_, b) => `v${b}: ${place(a, b)}`).join(", ")}}`,
  )
  const fields = matrixNames(op).map((name, b) => `m.v${b} AS ${identifier(name)}`)
  return `SELECT m.c AS "column", ${fields.join(", ")} FROM (SELECT unnest([${structs.join(", ")}]) AS m FROM (SELECT ${values.join(", ")} FROM ${from})) ORDER BY m.i`
}

export const correlation: OperationKind<Correlation> = {
  reduces: true,
  decode: (raw, columns) => {
    const chosen = readColumns(raw["columns"], columns, "columns")
    if (chosen.length < 2) throw refused("a correlation needs two columns of numbers")
    if (chosen.length > MAX_COLUMNS)
      throw refused(`at most ${MAX_COLUMNS} columns can be correlated, not ${chosen.length}`)
    for (const column of chosen) requireNumber(column, "a correlation needs numbers")
    return {
      op: "correlation",
      columns: chosen.map(({ name }) => name),
      form: readChoice(raw["form"], ["pairs", "matrix"], "form"),
    }
  },
  columns: (op) =>
    op.form === "pairs"
      ? [
          { name: "column", type: "string" },
          { name: "with", type: "string" },
          { name: "correlation", type: "number", label: "correlation (Pearson's r)" },
          { name: "rows", type: "integer", label: "rows with both" },
        ]
      : [
          { name: "column", type: "string" },
          ...matrixNames(op).map((name) => ({ name, type: "number" as const })),
        ],
  sql: (op, _, from) => (op.form === "pairs" ? pairsSql(op, from) : matrixSql(op, from)),
}
