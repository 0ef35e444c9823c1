/** Profiles the columns of a table: types, missing values, ranges, and values of low-cardinality columns. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import type { ColumnType } from "@planloom/tables"
import { readRowsSql } from "../duckdb/evaluate.ts"
import type { Opened } from "../duckdb/evaluate.ts"
import { isNumeric } from "../table/Table.ts"
import type { Column } from "../table/Table.ts"
import { columnsAlong } from "../table/operations.ts"
import { identifier } from "../table/sql.ts"

export interface ProfiledColumn {
  readonly name: string
  readonly type: ColumnType
  /** Number of missing values; absent if zero. */
  readonly nulls?: number
  /** Range of numbers and dates. */
  readonly min?: Json
  readonly max?: Json
  /** All its values, sorted, if they are few. */
  readonly distinct?: ReadonlyArray<Json>
  /** Present if every value occurs once, as far as the first rows show. */
  readonly unique?: true
}

/** A column with details needed only for opening the file. */
export interface Seen {
  readonly profiled: ProfiledColumn
  /** Largest day of a month in a date column. */
  readonly latestDay: number | undefined
  /** Number of fractional values in a number column. */
  readonly fractions: number | undefined
}

/** The profile for planning. */
export interface DataProfile {
  /** The file's name without its ending. */
  readonly title?: string
  readonly columns: ReadonlyArray<ProfiledColumn>
  readonly rows: number
}

/** Limits of a profile's value lists. A column of few distinct integers holds codes, not amounts. */
const MAX_VALUES = 250
const MAX_CODES = 12
const MAX_VALUE_LENGTH = 120

const ranged = (column: Column): boolean => isNumeric(column) || column.type === "date"

const listed = (column: Column): boolean =>
  column.type === "string" || column.type === "boolean" || column.type === "integer"

const mostValues = (column: Column): number => (column.type === "integer" ? MAX_CODES : MAX_VALUES)

/** Rows used to find candidate columns with few values; the whole table is then read once. */
const SAMPLE_ROWS = 100_000

/** Columns with few and short values in the first rows, and those with a value of its own in each of them. */
const candidates = Effect.fnUntraced(function* (opened: Opened, columns: ReadonlyArray<Column>) {
  const wanted = columns.filter(listed)
  if (wanted.length === 0) return { few: new Set<Column>(), unique: new Set<Column>() }
  const counts = wanted.map(({ name, type }, index) => {
    const at = identifier(name)
    return `count(DISTINCT ${at}) AS d${index}, ${type === "string" ? `max(length(${at}))` : "0"} AS l${index}`
  })
  const { rows } = yield* readRowsSql(
    opened,
    (from) =>
      `SELECT count(*) AS n, ${counts.join(", ")} FROM (SELECT * FROM ${from} LIMIT ${SAMPLE_ROWS})`,
  )
  const row = rows[0]!
  const few = wanted.filter(
    (column, index) =>
      Number(row[`d${index}`]) <= mostValues(column) &&
      Number(row[`l${index}`]) <= MAX_VALUE_LENGTH,
  )
  const rowsRead = Number(row["n"])
  const unique = wanted.filter((_, index) => rowsRead > 1 && Number(row[`d${index}`]) === rowsRead)
  return { few: new Set(few), unique: new Set(unique) }
})

const measures = (column: Column, index: number, few: boolean): ReadonlyArray<string> => {
  const at = identifier(column.name)
  return [
    `count(*) - count(${at}) AS n${index}`,
    ...(ranged(column) ? [`min(${at}) AS a${index}`, `max(${at}) AS b${index}`] : []),
    ...(column.type === "date" ? [`max(day(${at})) AS m${index}`] : []),
    ...(column.type === "number" ? [`count(*) FILTER (${at} <> floor(${at})) AS f${index}`] : []),
    ...(few
      ? [`to_json(list_sort(list(DISTINCT ${at}) FILTER (${at} IS NOT NULL))) AS v${index}`]
      : []),
  ]
}

const valuesIn = (list: Json | undefined, column: Column): ReadonlyArray<Json> | undefined => {
  if (list === undefined || list === null) return undefined
  const values = JSON.parse(String(list)) as ReadonlyArray<Json>
  const short = values.every((value) => String(value).length <= MAX_VALUE_LENGTH)
  return short && values.length <= mostValues(column) ? values : undefined
}

/** Reads the table once (and its first rows before that). */
export const profile = Effect.fnUntraced(function* (opened: Opened) {
  const columns = columnsAlong(opened.lineage).at(-1)!
  const { few, unique } = yield* candidates(opened, columns)
  const { rows } = yield* readRowsSql(
    opened,
    (from) =>
      `SELECT count(*) AS n, ${columns.flatMap((column, index) => measures(column, index, few.has(column))).join(", ")} FROM ${from}`,
  )
  const row = rows[0]!
  const number = (key: string): { readonly value?: number } =>
    row[key] === undefined || row[key] === null ? {} : { value: Number(row[key]) }
  const found = columns.map((column, index): Seen => {
    const nulls = Number(row[`n${index}`])
    const distinct = valuesIn(row[`v${index}`], column)
    return {
      profiled: {
        name: column.name,
        type: column.type,
        ...(nulls === 0 ? {} : { nulls }),
        ...(ranged(column) ? { min: row[`a${index}`]!, max: row[`b${index}`]! } : {}),
        ...(distinct === undefined ? {} : { distinct }),
        ...(unique.has(column) ? { unique: true } : {}),
      },
      latestDay: number(`m${index}`).value,
      fractions: number(`f${index}`).value,
    }
  })
  return { rows: Number(row["n"]), columns: found }
})
