/** Season length of a series, if it is long enough to have one. */
import type { Grain } from "@planloom/tables"

/** Points per season: a day of hours, a week of days, a year of coarser grains. */
const seasons: { readonly [grain in Grain]: number } = {
  hour: 24,
  day: 7,
  week: 52,
  month: 12,
  quarter: 4,
  year: 1,
}

const HOUR_MS = 3_600_000
const lengths = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS } as const

const moment = (iso: string): Date =>
  new Date(`${iso.replace(" ", "T").padEnd(11, "T").padEnd(19, "00:00:00").slice(0, 19)}Z`)

/** Number of units of time from that of `first` to that of `last`, inclusive. */
export const unitsBetween = (grain: Grain, first: string, last: string): number => {
  const [from, to] = [moment(first), moment(last)]
  const months =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  if (grain === "month") return months + 1
  if (grain === "year") return to.getUTCFullYear() - from.getUTCFullYear() + 1
  const quarter = (date: Date): number =>
    date.getUTCFullYear() * 4 + Math.floor(date.getUTCMonth() / 3)
  if (grain === "quarter") return quarter(to) - quarter(from) + 1
  const length = lengths[grain]
  // Weeks start on Monday; the epoch was a Thursday.
  const offset = grain === "week" ? 72 * HOUR_MS : 0
  const unit = (date: Date): number => Math.floor((date.getTime() + offset) / length)
  return unit(to) - unit(from) + 1
}

/** Points per season; 1 unless the series covers two seasons. */
export const seasonFor = (grain: Grain, first: string, last: string): number =>
  unitsBetween(grain, first, last) >= 2 * seasons[grain] ? seasons[grain] : 1
