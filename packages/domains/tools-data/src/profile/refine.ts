/** Finds text columns that contain numbers or dates, and the operations that convert them. */
import * as Effect from "effect/Effect"
import { readRowsSql, statement } from "../duckdb/evaluate.ts"
import type { Opened } from "../duckdb/evaluate.ts"
import { query } from "../duckdb/query.ts"
import { timestampFrom } from "../table/operations/parse_datetime.ts"
import { numberFrom } from "../table/operations/parse_number.ts"
import type { Operation } from "../table/Operation.ts"
import { identifier, text } from "../table/sql.ts"

/** Minimum share of values that must fit before a text column is converted. */
const MIN_SHARE = 0.9
/** Maximum distinct values to test, and rows to take them from. */
const MAX_VALUES = 500
const MAX_ROWS = 100_000

/** Day-first before month-first; a note reports values that fit both. */
const dateFormats = [
  "%d.%m.%Y",
  "%d/%m/%Y",
  "%m/%d/%Y",
  "%d-%m-%Y",
  "%m-%d-%Y",
  "%Y/%m/%d",
  "%Y.%m.%d",
  "%d %b %Y",
  "%d %B %Y",
  "%b %d, %Y",
  "%B %d, %Y",
  "%b %d %Y",
  "%B %d %Y",
  "%b %Y",
  "%B %Y",
  "%Y-%m",
  "%d.%m.%Y %H:%M",
  "%d/%m/%Y %H:%M",
  "%m/%d/%Y %H:%M",
  "%d.%m.%Y %H:%M:%S",
  "%d/%m/%Y %H:%M:%S",
  "%m/%d/%Y %H:%M:%S",
  "%m/%d/%Y %I:%M %p",
] as const

/** Keeps one of two readings of the same digits: the one that fits more values. */
const rivals: ReadonlyArray<readonly [string, string]> = [
  ["%d/%m/%Y", "%m/%d/%Y"],
  ["%d-%m-%Y", "%m-%d-%Y"],
  ["%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M"],
  ["%d/%m/%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S"],
]

interface Refinement {
  readonly ops: ReadonlyArray<Operation>
  readonly notes: ReadonlyArray<string>
}

const pickFormats = (
  counts: ReadonlyMap<string, number>,
): { readonly formats: ReadonlyArray<string>; readonly ambiguous: boolean } => {
  const dropped = new Set<string>()
  let ambiguous = false
  for (const [day, month] of rivals) {
    const [d, m] = [counts.get(day) ?? 0, counts.get(month) ?? 0]
    if (d === 0 && m === 0) continue
    dropped.add(m > d ? day : month)
    if (m === d) ambiguous = true
  }
  return {
    formats: dateFormats.filter((format) => (counts.get(format) ?? 0) > 0 && !dropped.has(format)),
    ambiguous,
  }
}

const missed = (name: string, count: number, kind: string, examples: string): string =>
  count === 1
    ? `${name}: 1 value is not a ${kind} and counts as missing (${examples}).`
    : `${name}: ${count} values are not ${kind}s and count as missing (${examples}).`

const examplesOf = Effect.fnUntraced(function* (opened: Opened, name: string, parsed: string) {
  const column = identifier(name)
  const { rows } = yield* readRowsSql(
    opened,
    (from) =>
      `SELECT count(*) AS n, list(DISTINCT ${column})[1:3] AS examples FROM ${from} WHERE trim(${column}) <> '' AND ${parsed} IS NULL`,
  )
  const examples = JSON.parse(String(rows[0]!["examples"] ?? "[]")) as ReadonlyArray<string>
  return {
    count: Number(rows[0]!["n"]),
    examples: examples.map((each) => JSON.stringify(each.slice(0, 30))).join(", "),
  }
})

const values = (column: string, from: string): string =>
  `(SELECT DISTINCT ${column} FROM (SELECT ${column} FROM ${from} LIMIT ${MAX_ROWS}) WHERE trim(${column}) <> '' LIMIT ${MAX_VALUES})`

/** Counts of a text column's sampled values, in total and by the format they fit. */
const fits = Effect.fnUntraced(function* (opened: Opened, name: string) {
  const column = identifier(name)
  const { rows } = yield* readRowsSql(
    opened,
    (from) =>
      `SELECT count(*) AS filled, count(${numberFrom(name, ".")}) AS point, count(${numberFrom(name, ",")}) AS comma, count(${timestampFrom(name, dateFormats)}) AS dates, ${dateFormats.map((format, index) => `count(try_strptime(trim(${column}), ${text(format)})) AS f${index}`).join(", ")} FROM ${values(column, from)}`,
  )
  const row = rows[0]!
  const count = (key: string): number => Number(row[key])
  return {
    filled: count("filled"),
    point: count("point"),
    comma: count("comma"),
    dates: count("dates"),
    formats: new Map(dateFormats.map((format, index) => [format as string, count(`f${index}`)])),
  }
})
type Fits = Effect.Success<ReturnType<typeof fits>>

/** Digits after a leading zero, as in a postal code: a number would lose the zero. */
const CODE = "^\\s*0[0-9]{2,}\\s*$"

const isAmount = Effect.fnUntraced(function* (opened: Opened, name: string) {
  const column = identifier(name)
  const { rows } = yield* readRowsSql(
    opened,
    (from) =>
      `SELECT count(*) AS filled, count(*) FILTER (regexp_matches(${column}, '[0-9]')) AS digits, count(*) FILTER (regexp_matches(${column}, '${CODE}')) AS codes FROM ${values(column, from)}`,
  )
  const [filled, digits] = [Number(rows[0]!["filled"]), Number(rows[0]!["digits"])]
  return filled > 0 && digits >= filled * MIN_SHARE && Number(rows[0]!["codes"]) === 0
})

/** The whole-number columns of a text file that hold codes. `opened` reads all of them as text. */
export const codesIn = Effect.fnUntraced(function* (opened: Opened, names: ReadonlyArray<string>) {
  if (names.length === 0) return []
  const tests = names.map(
    (name, index) => `bool_or(regexp_matches(${identifier(name)}, '${CODE}')) AS c${index}`,
  )
  const { rows } = yield* query(
    opened.session,
    `SELECT ${tests.join(", ")} FROM (SELECT * FROM (${statement(opened)}) LIMIT ${MAX_ROWS})`,
  )
  return names.filter((_, index) => rows[0]![`c${index}`] === true)
})

const asNumbers = Effect.fnUntraced(function* (opened: Opened, name: string, found: Fits) {
  const european = opened.lineage.source.dialect?.delimiter === ";"
  const { comma, point } = found
  const decimal = comma > point || (comma === point && european) ? "," : "."
  const lost = yield* examplesOf(opened, name, numberFrom(name, decimal))
  const refinement: Refinement = {
    ops: [{ op: "parse_number", column: name, decimal }],
    notes: lost.count === 0 ? [] : [missed(name, lost.count, "number", lost.examples)],
  }
  return refinement
})

const asDates = Effect.fnUntraced(function* (opened: Opened, name: string, found: Fits) {
  const { formats, ambiguous } = pickFormats(found.formats)
  const parsed = timestampFrom(name, formats)
  const lost = yield* examplesOf(opened, name, parsed)
  const times = yield* readRowsSql(
    opened,
    (from) =>
      `SELECT bool_or(CAST(t AS DATE) <> t) AS times FROM (SELECT ${parsed} AS t FROM ${from})`,
  )
  const to = times.rows[0]!["times"] === true ? "timestamp" : "date"
  const refinement: Refinement = {
    ops: [{ op: "parse_datetime", column: name, formats, to }],
    notes: [
      ...(ambiguous ? [dayFirst(name)] : []),
      ...(lost.count === 0 ? [] : [missed(name, lost.count, "date", lost.examples)]),
    ],
  }
  return refinement
})

/** Date formats of a text column, or undefined unless most values are dates. */
export const datesIn = Effect.fnUntraced(function* (opened: Opened, name: string) {
  const found = yield* fits(opened, name)
  if (found.filled === 0 || found.dates < found.filled * MIN_SHARE) return undefined
  const { formats, ambiguous } = pickFormats(found.formats)
  return { formats, notes: ambiguous ? [dayFirst(name)] : [] }
})

/** Analyzes one text column. */
const refineColumn = Effect.fnUntraced(function* (opened: Opened, name: string) {
  const none: Refinement = { ops: [], notes: [] }
  if (!(yield* isAmount(opened, name))) return none
  const found = yield* fits(opened, name)
  const enough = found.filled * MIN_SHARE
  if (Math.max(found.point, found.comma) >= enough) return yield* asNumbers(opened, name, found)
  return found.dates >= enough ? yield* asDates(opened, name, found) : none
})

export const dayFirst = (name: string): string =>
  `${name}: day and month are ambiguous; dates were read as day first (parse_datetime can change that).`

/** Operations that convert text columns to their actual type, with notes on lost values. */
export const refine = Effect.fnUntraced(function* (opened: Opened) {
  const ops: Array<Operation> = []
  const notes: Array<string> = []
  for (const { name, storage } of opened.lineage.source.columns) {
    if (storage !== "VARCHAR") continue
    const found = yield* refineColumn(opened, name)
    ops.push(...found.ops)
    notes.push(...found.notes)
  }
  const refinement: Refinement = { ops, notes }
  return refinement
})
