/** How many points make a season, and whether a series is long enough to know it. */
import type { Grain } from "@planloom/tables"

/** Points after which a series begins again: a day of hours, a week of days, a year of the rest. */
const seasons: { readonly [grain in Grain]: number } = {
  hour: 24,
  day: 7,
  week: 52,
  month: 12,
  quarter: 4,
  year: 1,
}

const HOUR = 3_600_000
const lengths = { hour: HOUR, day: 24 * HOUR, week: 168 * HOUR } as const

const moment = (iso: string): Date =>
  new Date(`${iso.replace(" ", "T").padEnd(11, "T").padEnd(19, "00:00:00").slice(0, 19)}Z`)

/** Units of time from the one `first` lies in to that of `last`, both counted. */
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
  // Weeks begin on Monday; the epoch was a Thursday.
  const offset = grain === "week" ? 72 * HOUR : 0
  const unit = (date: Date): number => Math.floor((date.getTime() + offset) / length)
  return unit(to) - unit(from) + 1
}

/** Points in one season; 1 when the series has not seen two of them. */
export const seasonFor = (grain: Grain, first: string, last: string): number =>
  unitsBetween(grain, first, last) >= 2 * seasons[grain] ? seasons[grain] : 1
