/** Compares the table of an answer with the rows of the truth, number by number. */
import type { JsonObject } from "@planloom/plugin/effect"

export interface AnswerTable {
  readonly columns: ReadonlyArray<{ readonly name: string }>
  readonly rows: number
  /** The first rows, 50 at most. */
  readonly preview: ReadonlyArray<JsonObject>
}

export interface Truth {
  readonly rows: ReadonlyArray<JsonObject>
  readonly ranked: boolean
  /** Whether the truth is the first rows of an order: more rows behind them are superfluous, not wrong. */
  readonly limited: boolean
}

export type Match = "right" | "incomplete" | "wrong"

const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
const months =
  "january february march april may june july august september october november december".split(" ")

const numberOf = (cell: unknown): number | undefined =>
  typeof cell === "number"
    ? cell
    : typeof cell === "string" && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell)
      ? Number(cell)
      : undefined

const near = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b))

/** A day or an instant at the start of its month or year is that month or year. */
const period = (text: string) =>
  text.replace(/[T ]00:00(:00)?(\.0+)?Z?$/, "").replace(/(-01){1,2}$/, "")

const sameCell = (actual: unknown, expected: unknown, percent: boolean): boolean => {
  if (expected === null) return actual === null
  if (actual === null || actual === undefined) return false
  const wanted = numberOf(expected)
  const given = numberOf(actual)
  if (wanted !== undefined && given !== undefined)
    return near(given, wanted) || (percent && near(given, wanted * 100))
  const [a, b] = [String(actual).trim().toLowerCase(), String(expected).trim().toLowerCase()]
  if (a === b || period(a) === period(b)) return true
  if (wanted !== undefined && (wanted === 0 || wanted === 1) && /^(yes|no|true|false)$/.test(a))
    return (wanted === 1) === /^(yes|true)$/.test(a)
  if (wanted !== undefined)
    return a.length > 2 && months.findIndex((it) => it.startsWith(a)) + 1 === wanted
  if (days.includes(b)) return given === days.indexOf(b) + 1 || (a.length > 2 && b.startsWith(a))
  return false
}

/** Every way to find the truth's columns among the answer's. */
function* mappings(
  wanted: ReadonlyArray<string>,
  given: ReadonlyArray<string>,
): Generator<ReadonlyArray<readonly [string, string]>> {
  const [first, ...rest] = wanted
  if (first === undefined) yield []
  else
    for (const name of given)
      for (const more of mappings(
        rest,
        given.filter((other) => other !== name),
      ))
        yield [[first, name], ...more]
}

const matched = (
  truth: Truth,
  table: AnswerTable,
  mapping: ReadonlyArray<readonly [string, string]>,
): Match => {
  const holdsNull = mapping.filter(([want]) => truth.rows.some((row) => row[want] === null))
  const missing = (row: JsonObject) =>
    mapping.some((pair) => row[pair[1]] === null && !holdsNull.includes(pair))
  const kept = table.preview.filter((row) => !missing(row))
  const count = table.rows - (table.preview.length - kept.length)
  const same = (row: JsonObject, wanted: JsonObject) =>
    mapping.every(([want, name]) => sameCell(row[name], wanted[want], want.endsWith("_pct")))
  const left = [...truth.rows]
  let found = 0
  for (const row of kept) {
    const at = left.findIndex((wanted) => same(row, wanted))
    if (at >= 0) left.splice(at, 1)
    if (at >= 0) found++
  }
  if (found === 0) return "wrong"
  if (found === kept.length && count === truth.rows.length) {
    // By the last column, so that rows with equal values may change places.
    const [by, name] = mapping.at(-1)!
    const inOrder = kept.every((row, at) => sameCell(row[name], truth.rows[at]![by], false))
    return inOrder || !truth.ranked ? "right" : "incomplete"
  }
  if (found === kept.length && count < truth.rows.length) return "incomplete"
  return left.length === 0 && (truth.limited || truth.rows.length === 1) ? "incomplete" : "wrong"
}

const numbersOf = (rows: ReadonlyArray<JsonObject>) =>
  rows
    .flatMap((row) => Object.values(row).flatMap((cell) => numberOf(cell) ?? []))
    .sort((a, b) => a - b)

/** The same numbers, laid out across instead of down. */
const turned = (truth: Truth, table: AnswerTable): boolean => {
  const [wanted, given] = [numbersOf(truth.rows), numbersOf(table.preview)]
  return (
    !truth.ranked &&
    wanted.length > 1 &&
    wanted.length === given.length &&
    wanted.every((value, at) => near(given[at]!, value))
  )
}

/** Any order of columns; rows in any order unless ranked; more columns do no harm. */
export const sameTable = (truth: Truth, table: AnswerTable): Match => {
  const wanted = Object.keys(truth.rows[0] ?? {})
  const given = table.columns.map(({ name }) => name)
  const best = (columns: ReadonlyArray<string>): Match => {
    let result: Match = "wrong"
    for (const mapping of mappings(columns, given)) {
      const match = matched(truth, table, mapping)
      if (match === "right") return "right"
      if (match === "incomplete") result = match
    }
    return result
  }
  const all = turned(truth, table) ? "right" : best(wanted)
  if (all !== "wrong") return all
  const measures = wanted.filter((name) =>
    truth.rows.every((row) => numberOf(row[name]) !== undefined),
  )
  return measures.length > 1 &&
    measures.some((left) => best(wanted.filter((name) => name !== left)) === "right")
    ? "incomplete"
    : "wrong"
}

/** Whether a text holds the only number of the truth, rounded to three digits or more. */
export const states = (text: string, { rows }: Truth): boolean => {
  const [[name, value] = [], ...more] = Object.entries(rows[0]!)
  const wanted = numberOf(value)
  if (rows.length > 1 || more.length > 0 || name === undefined || wanted === undefined) return false
  const scales = name.endsWith("_pct") ? [1, 100] : [1]
  return (text.match(/\d[\d,]*(\.\d+)?/g) ?? []).some((shown) => {
    const digits = shown.replaceAll(",", "")
    const unit = 10 ** -(digits.split(".")[1]?.length ?? 0)
    return (
      digits.replace(".", "").replace(/^0+/, "").length > 2 &&
      scales.some((scale) => Math.abs(Number(digits) - Math.abs(wanted) * scale) <= unit / 2)
    )
  })
}
