/** How often a time series has a value, and what that lets expect of its seasons. */
import type { Grain } from "@planloom/tables"
import type { Season } from "./Operation.ts"

const DAY_MS = 86_400_000
/** Years a yearly season must have been seen for. */
const CYCLES = 3

/** Unit of time whose points lie about `days` apart. */
const grainOfGap = (days: number): Grain => {
  if (days < 1 / 12) return "hour"
  if (days <= 2) return "day"
  if (days <= 12) return "week"
  if (days <= 45) return "month"
  return days <= 140 ? "quarter" : "year"
}

/** The grain of `count` different times from `first` to `last` (ISO). */
export const grainOf = (first: string, last: string, count: number): Grain =>
  count < 2
    ? "day"
    : grainOfGap(
        (Date.parse(`${last.slice(0, 10)}Z`) - Date.parse(`${first.slice(0, 10)}Z`)) /
          DAY_MS /
          (count - 1),
      )

/** Points on each side of the rolling median: long enough that an outage of weeks is not the norm. */
const windows: { readonly [grain in Grain]: number } = {
  hour: 24,
  day: 28,
  week: 6,
  month: 6,
  quarter: 3,
  year: 3,
}

/** Effects that `years` of points at a grain are enough to estimate. */
export const rhythm = (
  grain: Grain,
  first: string,
  last: string,
): { readonly season: ReadonlyArray<Season>; readonly window: number } => {
  const days = (Date.parse(`${last.slice(0, 10)}Z`) - Date.parse(`${first.slice(0, 10)}Z`)) / DAY_MS
  const unit: { readonly [grain in Grain]?: number } = { month: 31, quarter: 92, week: 7 }
  // From the first point's start to the last point's end.
  const enough = days + (unit[grain] ?? 1) >= CYCLES * 365
  const season: Array<Season> = []
  if (grain === "day" && days >= 27) season.push("weekday")
  if ((grain === "day" || grain === "week") && enough) season.push("month_of_day")
  if (grain === "month" && enough) season.push("month")
  if (grain === "quarter" && enough) season.push("quarter")
  return { season, window: windows[grain] }
}
