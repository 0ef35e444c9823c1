/** Spans of time as people write them: `2023`, `2023-Q2`, `2023-05`, `2023-05-17`, a date with a time. */
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
  const exact =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?)?$/.exec(written)
  const at = exact === null ? Number.NaN : Date.parse(`${exact[1]}T${exact[2] ?? "00:00:00"}Z`)
  // `Date.parse` takes the 31st of February for the 3rd of March.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== exact![1])
    throw refused(
      `${JSON.stringify(value)} is not a date: write 2023, 2023-Q2, 2023-05, 2023-05-17 or 2023-05-17T08:30:00`,
    )
  return [iso(at), iso(at + (exact![2] === undefined ? 86_400_000 : 1000))]
}
