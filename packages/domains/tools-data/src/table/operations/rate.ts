/** Share in percent of the rows, or of a number, that meets all conditions, per group. */
import { refused } from "../../DataFailed.ts"
import type { Rate } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readColumn, readColumns } from "../read.ts"
import { identifier } from "../sql.ts"
import { isNumeric, type Column } from "../Table.ts"
import { decodeTime, groupedSql, keyColumns, measureSql } from "./aggregate.ts"
import { decodeWhere, testsOf } from "./filter.ts"

const added = (keys: ReadonlyArray<Column>, weight: Column | undefined): ReadonlyArray<Column> => {
  const taken = keys.map(({ name }) => name)
  const [of, type] =
    weight === undefined ? ["rows", "integer" as const] : [weight.label ?? weight.name, weight.type]
  return [
    { name: freeName("rate", taken), type: "number", label: `share of ${of} in %` },
    { name: freeName("matching", taken), type, label: `matching ${of}` },
    {
      name: freeName(weight === undefined ? "rows" : "whole", taken),
      type,
      label: weight === undefined ? "number of rows" : `total ${of}`,
    },
  ]
}

const weightOf = ({ weight }: Rate, columns: ReadonlyArray<Column>): Column | undefined =>
  columns.find(({ name }) => name === weight)

const decodeWeight = (raw: unknown, columns: ReadonlyArray<Column>): string | null => {
  if (raw === undefined || raw === null) return null
  const column = readColumn(raw, columns, "metrics")
  if (!isNumeric(column))
    throw refused(`a share of ${JSON.stringify(column.name)} needs numbers, not ${column.type}s`)
  return column.name
}

/** Whether the conditions have a result for a row. */
export const knownSql = ({ where }: Pick<Rate, "where">, columns: ReadonlyArray<Column>): string =>
  `(${testsOf(where, columns).join(" AND ")}) IS NOT NULL`

export const rate: OperationKind<Rate> = {
  reduces: true,
  decode: (raw, columns) => {
    const where = decodeWhere(raw["where"], columns)
    if (where.length === 0) throw refused("a rate needs the condition of the rows it is about")
    const time = decodeTime(raw["time"], columns)
    return {
      op: "rate",
      where,
      weight: decodeWeight(raw["weight"], columns),
      time,
      group_by: readColumns(raw["group_by"], columns, "group_by")
        .map(({ name }) => name)
        .filter((name) => name !== time?.column),
    }
  },
  columns: (op, columns) => {
    const keys = keyColumns(op, columns)
    return [...keys, ...added(keys, weightOf(op, columns))]
  },
  sql: (op, columns, from) => {
    const weight = weightOf(op, columns)
    const [share, matching, all] = added(keyColumns(op, columns), weight).map(({ name }) =>
      identifier(name),
    )
    const value =
      op.weight === null
        ? "count(*)"
        : measureSql({ column: op.weight, agg: "sum", as: op.weight }, columns)
    const holds = testsOf(op.where, columns).join(" AND ")
    const matches = `${value} FILTER (WHERE ${holds})`
    // A test of a missing value has no result.
    const counted = `${value} FILTER (WHERE ${knownSql(op, columns)})`
    return groupedSql(
      op,
      [
        `100.0 * coalesce(${matches}, 0) / nullif(${counted}, 0) AS ${share}`,
        `coalesce(${matches}, 0) AS ${matching}`,
        `coalesce(${counted}, 0) AS ${all}`,
      ],
      from,
    )
  },
}
