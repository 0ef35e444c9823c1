/** Parses and shifts periods: `2023`, `2023-Q2`, `2023-05`, `2023-05-17`, a date with a time. */
import type { Grain } from "@planloom/tables"
import { refused } from "../DataFailed.ts"

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ")

const months = (year: number, first: number, count: number): readonly [string, string] => [
  iso(Date.UTC(year, first, 1)),
  iso(Date.UTC(year, first + count, 1)),
]

/** Start (inclusive) and end (exclusive) as `YYYY-MM-DD HH:MM:SS`. Throws `DataFailed`. */
export const readPeriod = (value: string): readonly [string, string] => {
  const written = value.trim()
  const year = /^(\d{4})$/.exec(written)
  if (year !== null) return months(Number(year[1]), 0, 12)
  const quarter = /^(\d{4})[- ]?Q([1-4])$/i.exec(written)
  if (quarter !== null) return months(Number(quarter[1]), (Number(quarter[2]) - 1) * 3, 3)
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(written)
  if (month !== null) return months(Number(month[1]), Number(month[2]) - 1, 1)
  const exact = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?)?$/.exec(written)
  const at = exact === null ? Number.NaN : Date.parse(`${exact[1]}T${exact[2] ?? "00:00:00"}Z`)
  // `Date.parse` reads February 31 as March 3.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== exact![1])
    throw refused(
      `${JSON.stringify(value)} is not a date: write 2023, 2023-Q2, 2023-05, 2023-05-17 or 2023-05-17T08:30:00`,
    )
  return [iso(at), iso(at + (exact![2] === undefined ? 86_400_000 : 1000))]
}

const at = (text: string): Date =>
  new Date(`${text.slice(0, 19).replace(" ", "T").padEnd(11, "T").replace(/T$/, "T00:00:00")}Z`)

const starts: { readonly [grain in Grain]: (date: Date) => number } = {
  hour: (date) => Math.floor(date.getTime() / 3_600_000) * 3_600_000,
  day: (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()),
  // Weeks start on Monday (ISO 8601).
  week: (date) =>
    Date.UTC(
      date.getUTCFullYear(),
      date.getUTCMonth(),
      date.getUTCDate() - ((date.getUTCDay() + 6) % 7),
    ),
  month: (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
  quarter: (date) => Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3, 1),
  year: (date) => Date.UTC(date.getUTCFullYear(), 0, 1),
}

const moved = (date: Date, grain: Grain, by: number): number => {
  const monthly = { month: 1, quarter: 3, year: 12 } as const
  if (grain === "month" || grain === "quarter" || grain === "year")
    return Date.UTC(
      date.getUTCFullYear(),
      date.getUTCMonth() + by * monthly[grain],
      date.getUTCDate(),
    )
  const length = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
  return date.getTime() + by * length[grain]
}

/** The period of a grain that contains a moment: start (inclusive), end (exclusive). */
export const periodAt = (moment: string, grain: Grain): readonly [string, string] => {
  const start = new Date(starts[grain](at(moment)))
  return [iso(start.getTime()), iso(moved(start, grain, 1))]
}

/** Shifts a period by a number of units. */
export const shift = (
  [from, to]: readonly [string, string],
  grain: Grain,
  by: number,
): readonly [string, string] => [iso(moved(at(from), grain, by)), iso(moved(at(to), grain, by))]

/**
 * The complete periods between the first and last moment of data whose edge periods are covered only in part:
 * from (inclusive), to (exclusive) and the first days of the partial periods. Undefined if all periods are complete,
 * if all are partial, and for grains below a week.
 */
export const wholePeriods = (
  grain: Grain,
  first: string,
  last: string,
):
  | { readonly from: string; readonly to: string; readonly cut: ReadonlyArray<string> }
  | undefined => {
  if (grain === "hour" || grain === "day") return undefined
  const [opening, closing] = [periodAt(first, grain), periodAt(last, grain)]
  const early = first.slice(0, 10) > opening[0].slice(0, 10)
  const dayAfter = iso(Date.parse(`${last.slice(0, 10)}T00:00:00Z`) + 86_400_000)
  const late = dayAfter < closing[1]
  const [from, to] = [early ? opening[1] : opening[0], late ? closing[0] : closing[1]]
  if ((!early && !late) || from >= to) return undefined
  return {
    from: from.slice(0, 10),
    to: to.slice(0, 10),
    cut: [...(early ? [opening[0].slice(0, 10)] : []), ...(late ? [closing[0].slice(0, 10)] : [])],
  }
}
