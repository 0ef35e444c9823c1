/** Sampling frequency of a time series, and the seasonal effects it supports. */
import type { Grain } from "@planloom/tables"
import type { Season } from "./Operation.ts"

const DAY_MS = 86_400_000
/** Minimum years of data for a yearly season. */
const MIN_YEARS = 3

/** Grain whose points are about `days` apart. */
const grainOfGap = (days: number): Grain => {
  if (days < 1 / 12) return "hour"
  if (days <= 2) return "day"
  if (days <= 12) return "week"
  if (days <= 45) return "month"
  return days <= 140 ? "quarter" : "year"
}

/** Grain of `count` distinct times from `first` to `last` (ISO). */
export const grainOf = (first: string, last: string, count: number): Grain =>
  count < 2
    ? "day"
    : grainOfGap(
        (Date.parse(`${last.slice(0, 10)}Z`) - Date.parse(`${first.slice(0, 10)}Z`)) /
          DAY_MS /
          (count - 1),
      )

/** Points on each side of the rolling median: enough that an outage of weeks does not shift it. */
const windows: { readonly [grain in Grain]: number } = {
  hour: 24,
  day: 28,
  week: 6,
  month: 6,
  quarter: 3,
  year: 3,
}

/** Effects that can be estimated from `years` of points at a grain. */
export const rhythm = (
  grain: Grain,
  first: string,
  last: string,
): { readonly season: ReadonlyArray<Season>; readonly window: number } => {
  const days = (Date.parse(`${last.slice(0, 10)}Z`) - Date.parse(`${first.slice(0, 10)}Z`)) / DAY_MS
  const unit: { readonly [grain in Grain]?: number } = { month: 31, quarter: 92, week: 7 }
  // From the first point's start to the last point's end.
  const enough = days + (unit[grain] ?? 1) >= MIN_YEARS * 365
  const season: Array<Season> = []
  if (grain === "day" && days >= 27) season.push("weekday")
  if ((grain === "day" || grain === "week") && enough) season.push("month_of_day")
  if (grain === "month" && enough) season.push("month")
  if (grain === "quarter" && enough) season.push("quarter")
  return { season, window: windows[grain] }
}
