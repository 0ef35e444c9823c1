/** Statistics of number columns: one row per column, or per group and column. */
import { refused } from "../../DataFailed.ts"
import type { Summarize } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readColumns } from "../read.ts"
import { identifier, identifiers, text } from "../sql.ts"
import { isNumeric, type Column, type ColumnType } from "../Table.ts"

interface Statistic {
  readonly name: string
  readonly label?: string
  readonly type: ColumnType
  /** Of a quoted column. Quantiles interpolate (type 7 of Hyndman & Fan 1996); the deviation is the sample's. */
  readonly sql: (column: string) => string
}

const real = (name: string, sql: Statistic["sql"], label?: string): Statistic => ({
  name,
  type: "number",
  sql,
  ...(label === undefined ? {} : { label }),
})

const statistics: ReadonlyArray<Statistic> = [
  { name: "count", type: "integer", sql: (at) => `count(${at})` },
  { name: "missing", type: "integer", sql: (at) => `count(*) - count(${at})` },
  real("sum", (at) => `fsum(CAST(${at} AS DOUBLE))`),
  real("mean", (at) => `favg(CAST(${at} AS DOUBLE))`),
  real("std", (at) => `stddev_samp(CAST(${at} AS DOUBLE))`, "standard deviation"),
  real("min", (at) => `CAST(min(${at}) AS DOUBLE)`),
  real("p25", (at) => `quantile_cont(CAST(${at} AS DOUBLE), 0.25)`, "25 % are below"),
  real("median", (at) => `quantile_cont(CAST(${at} AS DOUBLE), 0.5)`),
  real("p75", (at) => `quantile_cont(CAST(${at} AS DOUBLE), 0.75)`, "75 % are below"),
  real("max", (at) => `CAST(max(${at}) AS DOUBLE)`),
]

/** Names that no group has already: the column's name first, then one per statistic. */
const namesFor = (groups: ReadonlyArray<string>): ReadonlyArray<string> => {
  const taken = [...groups]
  return ["column", ...statistics.map(({ name }) => name)].map((wanted) => {
    const name = freeName(wanted, taken)
    taken.push(name)
    return name
  })
}

const outputs = (op: Summarize, columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const [first, ...names] = namesFor(op.group_by)
  return [
    ...op.group_by.map((name) => columns.find((column) => column.name === name)!),
    { name: first!, type: "string" },
    ...statistics.map(({ type, label }, index) => ({
      name: names[index]!,
      type,
      ...(label === undefined ? {} : { label }),
    })),
  ]
}

export const summarize: OperationKind<Summarize> = {
  reduces: true,
  decode: (raw, columns) => {
    const chosen = readColumns(raw["columns"], columns, "metrics")
    const group_by = readColumns(raw["group_by"], columns, "group_by").map(({ name }) => name)
    if (chosen.length === 0) throw refused("there is no number column to summarise")
    for (const { name, type } of chosen)
      if (type !== "number" && type !== "integer")
        throw refused(`statistics need numbers, but ${JSON.stringify(name)} holds ${type}s`, {
          column: name,
          type,
        })
    return { op: "summarize", columns: chosen.map(({ name }) => name), group_by }
  },
  columns: outputs,
  sql: (op, _, from) => {
    const names = namesFor(op.group_by)
    const keys = op.group_by.map((name) => `${identifier(name)}, `).join("")
    const grouped = op.group_by.length === 0 ? "" : ` GROUP BY ${identifiers(op.group_by)}`
    const rows = op.columns.map((name, index) => {
      const numbers = statistics
        .map(({ sql }, place) => `${sql(identifier(name))} AS ${identifier(names[place + 1]!)}`)
        .join(", ")
      return `SELECT ${index}, ${keys}${text(name)} AS ${identifier(names[0]!)}, ${numbers} FROM ${from}${grouped}`
    })
    const all = [...op.group_by, ...names]
    const places = all.map((name) => identifier(name)).join(", ")
    const order = [...op.group_by.map((_name, index) => index + 2), 1].join(", ")
    return `SELECT ${places} FROM (${rows.join(" UNION ALL ")} ORDER BY ${order}) AS statistics("position of the row", ${places})`
  },
}

/** The columns that statistics make sense for when none are named. */
export const measurable = (columns: ReadonlyArray<Column>): ReadonlyArray<string> =>
  columns.filter(isNumeric).map(({ name }) => name)
