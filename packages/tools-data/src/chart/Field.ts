/** A column in a chart. Charts name columns `f0`, `f1`… so that no column name is read as an expression. */
import type { JsonObject } from "@planloom/plugin"
import { isNumeric, type Column, type Grain } from "../table/Table.ts"

export interface Field {
  readonly column: Column
  readonly name: string
  readonly title: string
}

/** Words for a title: `product_category` reads as `product category`. */
export const titleOf = (column: Column): string => {
  const words = (column.label ?? column.name).replaceAll("_", " ").trim()
  return words === "" ? column.name : words[0]!.toUpperCase() + words.slice(1)
}

export const fieldOf = (column: Column, index: number): Field => ({
  column,
  name: `f${index}`,
  title: titleOf(column),
})

/** Shown for missing categories. */
export const MISSING = "(missing)"

/** Rows with fields for names: dates as epoch milliseconds, categories as text, numbers as numbers. */
export const chartRows = (
  rows: ReadonlyArray<JsonObject>,
  fields: ReadonlyArray<Field>,
): ReadonlyArray<JsonObject> =>
  rows.map((row) =>
    Object.fromEntries(
      fields.map(({ column, name }) => {
        const value = row[column.name] ?? null
        if (column.type === "date")
          return [
            name,
            value === null
              ? null
              : Date.parse(`${String(value).padEnd(11, "T").replace(/T$/, "T00:00:00")}Z`),
          ]
        if (isNumeric(column)) return [name, value === null ? null : Number(value)]
        return [name, value === null || value === "" ? MISSING : String(value)]
      }),
    ),
  )

/** How dates of a grain are written on an axis (d3-time-format). */
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

/** Axis of a number: 1.2M, 45k; `G` is a thousand million only to engineers. */
export const numberAxis = (title: string, whole: boolean, largest: number) => ({
  title,
  ...(largest >= 10_000
    ? { labelExpr: "replace(format(datum.value, '~s'), 'G', 'B')" }
    : { format: largest >= 1000 ? "," : "~g" }),
  ...(whole && largest <= 5 ? { tickMinStep: 1 } : {}),
  tickCount: 6,
})

/** Axis of dates in UTC; a coarse grain is never ticked finer than itself. */
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
