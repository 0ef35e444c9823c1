/** What the columns of a table hold: types, missing values, ranges, the values of short lists. */
import * as Effect from "effect/Effect"
import type { Json, JsonObject } from "@planloom/plugin"
import { readRowsSql, type Opened } from "../duckdb/evaluate.ts"
import { columnsAlong } from "../table/compile.ts"
import { identifier } from "../table/sql.ts"
import { isNumeric, type Column, type ColumnType } from "../table/Table.ts"

export interface ProfiledColumn {
  readonly name: string
  readonly type: ColumnType
  /** Missing values; absent when there are none. */
  readonly nulls?: number
  /** Of numbers and dates. */
  readonly min?: Json
  readonly max?: Json
  /** All its values, sorted, when they are few. */
  readonly distinct?: ReadonlyArray<Json>
  /** Of dates: the largest day of a month. */
  readonly days?: number
}

/** The profile planning reads. */
export interface DataProfile {
  readonly columns: ReadonlyArray<ProfiledColumn>
  readonly rows: number
}

/** Longest list of values a profile gives, and the longest value in it. Few integers are codes, not amounts. */
const MOST_VALUES = 50
const MOST_CODES = 12
const LONGEST_VALUE = 120

const ranged = (column: Column): boolean => isNumeric(column) || column.type === "date"

const listed = (column: Column): boolean =>
  column.type === "string" || column.type === "boolean" || column.type === "integer"

const measures = (column: Column, index: number): ReadonlyArray<string> => {
  const at = identifier(column.name)
  return [
    `count(*) - count(${at}) AS n${index}`,
    ...(ranged(column) ? [`min(${at}) AS a${index}`, `max(${at}) AS b${index}`] : []),
    ...(column.type === "date" ? [`max(day(${at})) AS m${index}`] : []),
    ...(listed(column) ? [`approx_count_distinct(${at}) AS d${index}`] : []),
    ...(column.type === "string" ? [`max(length(${at})) AS l${index}`] : []),
  ]
}

const mostValues = (column: Column): number =>
  column.type === "integer" ? MOST_CODES : MOST_VALUES

const fewValues = (row: JsonObject, column: Column, index: number): boolean =>
  listed(column) &&
  // The count is approximate (HyperLogLog): the exact one is taken after.
  Number(row[`d${index}`]) <= mostValues(column) * 1.3 &&
  Number(row[`l${index}`] ?? 0) <= LONGEST_VALUE

/** Reads the table twice: once for the numbers, once for the values of the columns that have few. */
export const profile = Effect.fnUntraced(function* (opened: Opened) {
  const columns = columnsAlong(opened.lineage).at(-1)!
  const { rows } = yield* readRowsSql(
    opened,
    (from) => `SELECT count(*) AS n, ${columns.flatMap(measures).join(", ")} FROM ${from}`,
  )
  const row = rows[0]!
  const few = columns.flatMap((column, index) =>
    fewValues(row, column, index) ? [{ column, index }] : [],
  )
  const values =
    few.length === 0
      ? {}
      : (yield* readRowsSql(
          opened,
          (from) =>
            `SELECT ${few.map(({ column, index }) => `to_json(list_sort(list(DISTINCT ${identifier(column.name)}) FILTER (${identifier(column.name)} IS NOT NULL))) AS v${index}`).join(", ")} FROM ${from}`,
        )).rows[0]!
  const result: DataProfile = {
    rows: Number(row["n"]),
    columns: columns.map((column, index) => {
      const nulls = Number(row[`n${index}`])
      const list = (values as JsonObject)[`v${index}`]
      const distinct =
        typeof list === "string" ? (JSON.parse(list) as ReadonlyArray<Json>) : undefined
      return {
        name: column.name,
        type: column.type,
        ...(nulls === 0 ? {} : { nulls }),
        ...(ranged(column) ? { min: row[`a${index}`]!, max: row[`b${index}`]! } : {}),
        ...(typeof row[`m${index}`] === "number" ? { days: Number(row[`m${index}`]) } : {}),
        ...(distinct === undefined || distinct.length > mostValues(column) ? {} : { distinct }),
      }
    }),
  }
  return result
})
