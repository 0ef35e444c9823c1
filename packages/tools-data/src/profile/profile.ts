/** What the columns of a table hold: types, missing values, ranges, the values of short lists. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin"
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
  /** Missing values; absent when there are none. */
  readonly nulls?: number
  /** Of numbers and dates. */
  readonly min?: Json
  readonly max?: Json
  /** All its values, sorted, when they are few. */
  readonly distinct?: ReadonlyArray<Json>
}

/** A column with what only the one who opens the file needs. */
export interface Seen {
  readonly profiled: ProfiledColumn
  /** Of dates: the largest day of a month. */
  readonly latestDay: number | undefined
  /** Of numbers: how many are not whole. */
  readonly fractions: number | undefined
}

/** The profile planning reads. */
export interface DataProfile {
  readonly columns: ReadonlyArray<ProfiledColumn>
  readonly rows: number
}

/** Longest list of values a profile gives, and the longest value in it. Few integers are codes, not amounts. */
const MOST_VALUES = 250
const MOST_CODES = 12
const LONGEST_VALUE = 120

const ranged = (column: Column): boolean => isNumeric(column) || column.type === "date"

const listed = (column: Column): boolean =>
  column.type === "string" || column.type === "boolean" || column.type === "integer"

const mostValues = (column: Column): number =>
  column.type === "integer" ? MOST_CODES : MOST_VALUES

/** Rows that decide which columns may have few values: the whole table is then read once. */
const SAMPLE = 100_000

/** Columns that have few and short values in the first rows. */
const candidates = Effect.fnUntraced(function* (opened: Opened, columns: ReadonlyArray<Column>) {
  const wanted = columns.filter(listed)
  if (wanted.length === 0) return new Set<Column>()
  const counts = wanted.map(({ name, type }, index) => {
    const at = identifier(name)
    return `count(DISTINCT ${at}) AS d${index}, ${type === "string" ? `max(length(${at}))` : "0"} AS l${index}`
  })
  const { rows } = yield* readRowsSql(
    opened,
    (from) => `SELECT ${counts.join(", ")} FROM (SELECT * FROM ${from} LIMIT ${SAMPLE})`,
  )
  const row = rows[0]!
  return new Set(
    wanted.filter(
      (column, index) =>
        Number(row[`d${index}`]) <= mostValues(column) && Number(row[`l${index}`]) <= LONGEST_VALUE,
    ),
  )
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
  const short = values.every((value) => String(value).length <= LONGEST_VALUE)
  return short && values.length <= mostValues(column) ? values : undefined
}

/** Reads the table once (and its first rows before that). */
export const profile = Effect.fnUntraced(function* (opened: Opened) {
  const columns = columnsAlong(opened.lineage).at(-1)!
  const few = yield* candidates(opened, columns)
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
      },
      latestDay: number(`m${index}`).value,
      fractions: number(`f${index}`).value,
    }
  })
  return { rows: Number(row["n"]), columns: found }
})
