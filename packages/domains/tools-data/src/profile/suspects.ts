/** Finds values that may not mean what they say: placeholders for missing values, and years of two digits. */
import * as Effect from "effect/Effect"
import { readRowsSql, type Opened } from "../duckdb/evaluate.ts"
import { identifier, number, text } from "../table/sql.ts"
import type { ProfiledColumn } from "./profile.ts"

/** Numbers and days that programs write for missing values. */
const placeholders: ReadonlySet<unknown> = new Set([
  -99,
  -999,
  -9999,
  -99999,
  999,
  9999,
  99999,
  999999,
  "1899-12-30",
  "1900-01-01",
  "1970-01-01",
  "2099-12-31",
  "2999-12-31",
  "9999-12-31",
])

interface Suspect {
  readonly name: string
  readonly value: number | string
}

const suspectsIn = (columns: ReadonlyArray<ProfiledColumn>): ReadonlyArray<Suspect> =>
  columns.flatMap(({ max, min, name }) =>
    [min, max].flatMap((bound) => {
      const value = typeof bound === "string" ? bound.slice(0, 10) : bound
      return placeholders.has(value) ? [{ name, value: value as number | string }] : []
    }),
  )

/** At least so many rows hold a placeholder: a single one may be a value. */
const MIN_ROWS = 2

/** A placeholder lies farther from the other values than these lie from each other. */
const isFar = Effect.fnUntraced(function* (opened: Opened, { name, value }: Suspect) {
  const at = identifier(name)
  const isDay = typeof value === "string"
  const column = isDay ? `epoch(CAST(${at} AS TIMESTAMP))` : at
  const held = isDay ? `CAST(${at} AS DATE) = DATE ${text(value)}` : `${at} = ${number(value)}`
  const { rows } = yield* readRowsSql(
    opened,
    (from) =>
      `SELECT count(*) FILTER (${held}) AS n, max(${column}) FILTER (${held}) AS v, min(${column}) FILTER (NOT (${held})) AS a, max(${column}) FILTER (NOT (${held})) AS b FROM ${from}`,
  )
  const [count, held_at, least, most] = ["n", "v", "a", "b"].map((key) => Number(rows[0]![key]))
  if (rows[0]!["a"] === null || count! < MIN_ROWS) return undefined
  const gap = Math.max(least! - held_at!, held_at! - most!)
  return gap > most! - least! ? count : undefined
})

/** Notes on the columns that hold placeholders. */
export const placeholderNotes = Effect.fnUntraced(function* (
  opened: Opened,
  columns: ReadonlyArray<ProfiledColumn>,
) {
  const notes: Array<string> = []
  for (const suspect of suspectsIn(columns)) {
    const count = yield* isFar(opened, suspect)
    if (count !== undefined)
      notes.push(
        `${suspect.name}: ${count} values are ${suspect.value}, far from all others; they may stand for missing values, but count as they are.`,
      )
  }
  return notes
})

/** Notes on dates whose years have two digits: the century is a guess. */
export const centuryNotes = (
  { lineage: { source } }: Opened,
  columns: ReadonlyArray<ProfiledColumn>,
): ReadonlyArray<string> => {
  const { date_format = "", timestamp_format = "" } = source.dialect ?? {}
  const formats = new Map<string, string>([
    ["DATE", date_format],
    ["TIMESTAMP", timestamp_format],
  ])
  return columns.flatMap(({ max, min, name }) => {
    const storage = source.columns.find((column) => column.name === name)?.storage ?? ""
    if (formats.get(storage)?.includes("%y") !== true || min === undefined) return []
    const [first, last] = [min, max].map((day) => String(day).slice(0, 4))
    return [`${name}: years have two digits and were read as ${first} to ${last}.`]
  })
}
