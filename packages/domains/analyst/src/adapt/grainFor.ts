/** Chooses the interval that shows a span of time well when the question names none. */
import type { Column, Grain } from "@planloom/tables"

const DAY = 86_400_000

/** Upper bounds of spans in days: each interval yields some tens of points, and at least a few. */
const spans: ReadonlyArray<readonly [number, Grain]> = [
  [2, "hour"],
  [62, "day"],
  [200, "week"],
  [366 * 11, "month"],
  [366 * 20, "quarter"],
]

/** `month` when the column's range is unknown. */
export const grainFor = ({ min, max }: Column): Grain => {
  const from = Date.parse(String(min))
  const to = Date.parse(String(max))
  if (Number.isNaN(from) || Number.isNaN(to)) return "month"
  const days = (to - from) / DAY
  return spans.find(([most]) => days <= most)?.[1] ?? "year"
}
