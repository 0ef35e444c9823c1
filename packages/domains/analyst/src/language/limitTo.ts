/** Adds a period as a condition on the column of dates or years. */
import type { Column, FilterOp } from "@planloom/tables"
import { yearColumnOf } from "./columnKinds.ts"
import type { Period } from "./Item.ts"
import type { Reading } from "./Reading.ts"

/** The column of dates or numeric years; adds a question without either. */
const target = (
  reading: Reading,
  period: Period,
): { column: Column; value: string | number } | undefined => {
  const date = reading.dateColumn()
  if (date !== undefined) {
    const value = complete(reading, date, period)
    return value === undefined ? undefined : { column: date, value }
  }
  const year = yearColumnOf(reading.profile)
  if (year !== undefined && period.unit === "year")
    return { column: year, value: year.type === "string" ? period.value : Number(period.value) }
  const said = reading.textOf(period.start, period.end)
  reading.lacks(
    period.start,
    period.end,
    `The data has no dates, so it cannot be limited to "${said}".`,
  )
  return undefined
}

/** A month or quarter without a year is unambiguous only if the data has it once. */
const complete = (
  reading: Reading,
  { min, max }: Column,
  { value, unit, start, end }: Period,
): string | undefined => {
  if (!value.startsWith("--")) return value
  const lengthOf = { day: 10, month: 7, quarter: 4, year: 4 }[unit]
  const [from, to] = [String(min).slice(0, lengthOf), String(max).slice(0, lengthOf)]
  const years: Array<string> = []
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year++) {
    const candidate = `${year}-${value.slice(2)}`
    const compared = candidate.slice(0, lengthOf)
    if (compared >= from && compared <= to) years.push(candidate)
  }
  if (years.length === 1) return years[0]
  const said = reading.textOf(start, end)
  const among = years.map((year) => year.slice(0, 4))
  const text = `"${said}" of which year${among.length === 0 ? "" : `: ${among.join(", ")}`}?`
  reading.lacks(
    start,
    end,
    text,
    among.map((year) => `${said} ${year}`),
  )
  return undefined
}

/** Conditions that no row meets twice: "in 2021 … in 2023". */
const inside: ReadonlySet<FilterOp> = new Set(["=", "in", "between"])

/** Keeps the rows of these periods: one compared by `op`, several by a list. */
export const limitTo = (
  reading: Reading,
  periods: ReadonlyArray<Period>,
  op: FilterOp,
  place: readonly [number, number],
) => {
  const found = periods.flatMap((period) => target(reading, period) ?? [])
  const [first] = found
  if (first === undefined || found.length < periods.length) return
  const isSecond = reading.constraints.some(
    (one) => one.kind === "filter" && one.column === first.column.name && inside.has(one.op),
  )
  if (isSecond && inside.has(op)) {
    reading.lacks(
      ...place,
      `Another time is named before "${reading.textOf(...place)}": which is it?`,
    )
    return
  }
  reading.claim(`filter:${first.column.name}`, ...place)
  const values = found.map(({ value }) => value)
  reading.filter(first.column, op, periods.length === 1 ? first.value : values)
}
