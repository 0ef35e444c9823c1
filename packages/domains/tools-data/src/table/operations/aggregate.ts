/** Groups rows and computes one number per measure and group. */
import { isJsonObject } from "@planloom/plugin/effect"
import { grains } from "@planloom/tables"
import type { ColumnType, Grain } from "@planloom/tables"
import { refused } from "../../DataFailed.ts"
import { aggregations } from "../Operation.ts"
import type { Aggregate, Measure } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import type { Column } from "../Table.ts"
import {
  freeName,
  readChoice,
  readColumn,
  readColumns,
  readList,
  readText,
  requireNumber,
} from "../read.ts"
import { identifier } from "../sql.ts"

const words: { readonly [agg in Measure["agg"]]: string } = {
  sum: "total",
  avg: "average",
  min: "minimum",
  max: "maximum",
  count: "count of",
  median: "median",
  count_distinct: "distinct",
}

/** Decodes measures; rejects arithmetic on columns that are not numbers. */
export const decodeMeasures = (
  value: unknown,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<Measure> =>
  readList(value, "measures").map((raw) => {
    if (!isJsonObject(raw)) throw refused("a measure must say column, agg and as")
    const agg = readChoice(raw["agg"], aggregations, "agg")
    const as = readText(raw["as"], "as")
    if (raw["column"] === null) {
      if (agg !== "count") throw refused(`${agg} needs a column`)
      return { column: null, agg, as }
    }
    const column = readColumn(raw["column"], columns, "metrics")
    if (agg === "sum" || agg === "avg" || agg === "median")
      requireNumber(column, `${agg} needs numbers`, { agg })
    return { column: column.name, agg, as }
  })

const measureType = (measure: Measure, columns: ReadonlyArray<Column>): ColumnType => {
  if (measure.agg === "count" || measure.agg === "count_distinct") return "integer"
  const column = columns.find(({ name }) => name === measure.column)
  if (measure.agg === "avg" || measure.agg === "median" || column === undefined) return "number"
  return column.type
}

/** Column and label of a measure. */
export const measureColumn = (measure: Measure, columns: ReadonlyArray<Column>): Column => ({
  name: measure.as,
  type: measureType(measure, columns),
  label:
    measure.column === null
      ? "number of rows"
      : `${words[measure.agg]} ${columns.find(({ name }) => name === measure.column)?.label ?? measure.column}`,
})

/** Compensated floating-point sums (Kahan), so that the read order of rows has almost no effect. */
export const measureSql = (measure: Measure, columns: ReadonlyArray<Column>): string => {
  if (measure.column === null) return "count(*)"
  const column = identifier(measure.column)
  const floats = columns.find(({ name }) => name === measure.column)?.type === "number"
  switch (measure.agg) {
    case "sum":
      return floats ? `fsum(${column})` : `sum(${column})`
    case "avg":
      return floats ? `favg(${column})` : `avg(${column})`
    case "count_distinct":
      return `count(DISTINCT ${column})`
    default:
      return `${measure.agg}(${column})`
  }
}

/** `date_trunc` to a grain; a date for days and coarser. Weeks start on Monday (ISO 8601). */
const truncate = (column: string, grain: Grain): string =>
  `CAST(date_trunc('${grain}', ${identifier(column)}) AS ${grain === "hour" ? "TIMESTAMP" : "DATE"})`

/** Decodes the unit of time that divides rows, if any. */
export const decodeTime = (raw: unknown, columns: ReadonlyArray<Column>): Aggregate["time"] => {
  if (!isJsonObject(raw)) return null
  const column = readColumn(raw["column"], columns, "time_column")
  if (column.type !== "date")
    throw refused(
      `${JSON.stringify(column.name)} holds ${column.type}s, not dates: parse it with parse_datetime first`,
      { column: column.name, type: column.type },
    )
  return { column: column.name, grain: readChoice(raw["grain"], grains, "time_grain") }
}

type Divided = Pick<Aggregate, "group_by" | "time">

/** The columns that divide the rows into groups, time first. */
export const keyColumns = (
  { group_by, time }: Divided,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<Column> => [
  ...(time === null ? [] : [{ name: time.column, type: "date" as const, grain: time.grain }]),
  ...group_by.map((name) => columns.find((column) => column.name === name)!),
]

/** One row per group with these expressions, in the order of the groups. */
export const groupedSql = (
  { group_by, time }: Divided,
  expressions: ReadonlyArray<string>,
  from: string,
): string => {
  const keys = [
    ...(time === null
      ? []
      : [`${truncate(time.column, time.grain)} AS ${identifier(time.column)}`]),
    ...group_by.map(identifier),
  ]
  const places = keys.map((_, index) => index + 1).join(", ")
  return `SELECT ${[...keys, ...expressions].join(", ")} FROM ${from}${
    keys.length === 0 ? "" : ` GROUP BY ${places} ORDER BY ${places}`
  }`
}

export const aggregate: OperationKind<Aggregate> = {
  reduces: true,
  decode: (raw, columns) => {
    const group_by = readColumns(raw["group_by"], columns, "group_by").map(({ name }) => name)
    const measures = decodeMeasures(raw["measures"], columns)
    if (measures.length === 0) throw refused("aggregate needs at least one measure")
    const time = decodeTime(raw["time"], columns)
    const taken: Array<string> = [...(time === null ? [] : [time.column]), ...group_by]
    const named = measures.map((measure) => {
      const as = freeName(measure.as, taken)
      taken.push(as)
      return { ...measure, as }
    })
    return {
      op: "aggregate",
      group_by: group_by.filter((name) => name !== time?.column),
      time,
      measures: named,
    }
  },
  columns: (op, columns) => [
    ...keyColumns(op, columns),
    ...op.measures.map((measure) => measureColumn(measure, columns)),
  ],
  sql: (op, columns, from) =>
    groupedSql(
      op,
      op.measures.map((measure) => `${measureSql(measure, columns)} AS ${identifier(measure.as)}`),
      from,
    ),
}
