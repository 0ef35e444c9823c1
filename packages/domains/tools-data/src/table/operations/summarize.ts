/** Statistics of number columns: one row per column, or per group and column. */
import type { ColumnType } from "@planloom/tables"
import { refused } from "../../DataFailed.ts"
import type { Summarize } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { isNumeric } from "../Table.ts"
import type { Column } from "../Table.ts"
import { freeName, readColumns } from "../read.ts"
import { identifier, text } from "../sql.ts"

interface Statistic {
  readonly name: string
  readonly label?: string
  readonly type: ColumnType
  /** Derived from the numbered aggregates of a column: `c0`, `m0`… */
  readonly sql: (index: number) => string
}

const real = (name: string, sql: Statistic["sql"], label?: string): Statistic => ({
  name,
  type: "number",
  sql,
  ...(label === undefined ? {} : { label }),
})

const statistics: ReadonlyArray<Statistic> = [
  { name: "count", type: "integer", sql: (index) => `c${index}` },
  { name: "missing", type: "integer", sql: (index) => `n - c${index}` },
  real("sum", (index) => `s${index}`),
  real("mean", (index) => `m${index}`),
  real("std", (index) => `d${index}`, "standard deviation"),
  real("min", (index) => `a${index}`),
  real("p25", (index) => `q${index}[1]`, "25 % are below"),
  real("median", (index) => `q${index}[2]`),
  real("p75", (index) => `q${index}[3]`, "75 % are below"),
  real("max", (index) => `b${index}`),
]

/**
 * All aggregates of a column, so that the table is read once. Quantiles interpolate (type 7 of
 * Hyndman & Fan 1996); the deviation is the sample's; sums are compensated.
 */
const aggregates = (name: string, index: number): string => {
  const at = `CAST(${identifier(name)} AS DOUBLE)`
  return [
    `count(${at}) AS c${index}`,
    `fsum(${at}) AS s${index}`,
    `favg(${at}) AS m${index}`,
    `stddev_samp(${at}) AS d${index}`,
    `min(${at}) AS a${index}`,
    `max(${at}) AS b${index}`,
    `quantile_cont(${at}, [0.25, 0.5, 0.75]) AS q${index}`,
  ].join(", ")
}

/** Names that do not clash with groups: the column's name first, then one per statistic. */
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
    const [first, ...names] = namesFor(op.group_by)
    const keys = op.group_by.map((name, index) => `${identifier(name)} AS "group ${index}", `)
    const back = op.group_by.map((name, index) => `"group ${index}" AS ${identifier(name)}, `)
    const grouped = keys.map((_key, index) => index + 1).join(", ")
    const inner = `SELECT ${keys.join("")}count(*) AS n, ${op.columns.map(aggregates).join(", ")} FROM ${from}${grouped === "" ? "" : ` GROUP BY ${grouped} ORDER BY ${grouped}`}`
    const structs = op.columns.map(
      (name, index) =>
        `{${[`p: ${text(name)}`, ...statistics.map(({ sql }, place) => `p${place}: ${sql(index)}`)].join(", ")}}`,
    )
    const fields = [
      `stat.p AS ${identifier(first!)}`,
      ...statistics.map((_statistic, place) => `stat.p${place} AS ${identifier(names[place]!)}`),
    ]
    return `SELECT ${back.join("")}${fields.join(", ")} FROM (SELECT ${keys.map((_key, index) => `"group ${index}", `).join("")}unnest([${structs.join(", ")}]) AS stat FROM (${inner}))`
  },
}

/** Default columns of the statistics. */
export const measurable = (columns: ReadonlyArray<Column>): ReadonlyArray<string> =>
  columns.filter(isNumeric).map(({ name }) => name)
