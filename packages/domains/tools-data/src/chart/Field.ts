/** A column in a chart, named `f0`, `f1`… so that no column name is parsed as an expression. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { Grain } from "@planloom/tables"
import { isNumeric } from "../table/Table.ts"
import type { Column } from "../table/Table.ts"
import { titleOf } from "../table/wording.ts"

export interface Field {
  readonly column: Column
  readonly name: string
  readonly title: string
}

export const fieldOf = (column: Column, index: number): Field => ({
  column,
  name: `f${index}`,
  title: titleOf(column),
})

/** Shown for missing categories. */
const MISSING = "(missing)"

const milliseconds = (iso: string): number =>
  Date.parse(iso.length > 10 ? `${iso}Z` : `${iso}T00:00:00Z`)

/** Formats of dates as series names; sorting the text sorts by time. */
const dateName = (iso: string, grain: Grain | undefined): string => {
  if (grain === "year") return iso.slice(0, 4)
  if (grain === "quarter") return `${iso.slice(0, 4)} Q${Math.ceil(Number(iso.slice(5, 7)) / 3)}`
  return grain === "month" ? iso.slice(0, 7) : iso.replace("T", " ")
}

/** Formats a value as the name of a bar, a line or a panel. */
export const categoryName = (value: Json, { type, grain }: Column): string => {
  if (value === null || value === "") return MISSING
  return type === "date" ? dateName(String(value), grain) : String(value)
}

const positionOf = (value: Json, column: Column): Json => {
  if (column.type !== "date" && !isNumeric(column)) return categoryName(value, column)
  if (value === null) return null
  return column.type === "date" ? milliseconds(String(value)) : Number(value)
}

/**
 * Renames columns to fields. On an axis, dates become epoch milliseconds and numbers stay numbers; series
 * values become names.
 */
export const chartRows = (
  rows: ReadonlyArray<JsonObject>,
  axes: ReadonlyArray<Field>,
  series: ReadonlyArray<Field>,
): ReadonlyArray<JsonObject> =>
  rows.map((row) =>
    Object.fromEntries([
      ...axes.map(({ column, name }) => [name, positionOf(row[column.name] ?? null, column)]),
      ...series.map(({ column, name }) => [name, categoryName(row[column.name] ?? null, column)]),
    ]),
  )

/** Axis format of dates by grain (d3-time-format). */
const dateFormats: { readonly [grain in Grain]: string } = {
  hour: "%d %b %H:%M",
  day: "%d %b %Y",
  week: "%d %b %Y",
  month: "%b %Y",
  quarter: "Q%q %Y",
  year: "%Y",
}

export const dateFormat = (column: Column): string | undefined =>
  column.grain === undefined ? undefined : dateFormats[column.grain]

/** Whole numbers that are read as years. */
export const areYears = ({ type }: Column, values: ReadonlyArray<unknown>): boolean =>
  type === "integer" &&
  values.every((value) => value === null || (Number(value) >= 1500 && Number(value) <= 2100))

/** Axis of years: 2019, not 2,019. */
export const yearAxis = (title: string) => ({ title, format: "d", tickMinStep: 1, tickCount: 8 })

/** Number axis: 1.2M, 45k, and `B` instead of d3's `G`. */
export const numberAxis = (title: string, whole: boolean, largest: number) => ({
  title,
  ...(largest >= 10_000
    ? { labelExpr: "replace(format(datum.value, '~s'), 'G', 'B')" }
    : // An axis gives every other format as many digits as it has ticks: 1.6e+3.
      { format: ",~f" }),
  ...(whole && largest <= 5 ? { tickMinStep: 1 } : {}),
  tickCount: 6,
})

/** Date axis in UTC; ticks are never finer than the grain. */
export const dateAxis = (column: Column, title: string, count: number) => {
  const format = dateFormat(column)
  const perTick: { readonly [grain in Grain]?: string } = {
    month: "month",
    quarter: "month",
    year: "year",
  }
  const interval = column.grain === undefined ? undefined : perTick[column.grain]
  return {
    title,
    labelOverlap: "greedy",
    labelFlush: true,
    ...(format === undefined || count > 60 ? {} : { format }),
    ...(interval === undefined || count > 14
      ? { tickCount: 8 }
      : { tickCount: { interval, step: column.grain === "quarter" ? 3 : 1 } }),
  }
}
