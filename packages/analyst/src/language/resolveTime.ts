/** Adds the column of time that a series needs. */
import type { Reading } from "./Reading.ts"

/** Analyses of a series. */
const timely = ["trend", "forecast", "moving_average"] as const

/** A trend needs time: the date column, or a column of years, whichever the table has. */
export const resolveTime = (reading: Reading): void => {
  const goes = timely.some((label) => reading.analysis.has(label))
  const timed = goes || reading.grain !== "unknown"
  if (!timed || reading.timeColumn !== "") return
  const date = reading.dateColumn()
  if (date !== undefined) {
    reading.timeColumn = date.name
    return
  }
  const year = reading.yearColumn()
  if (year !== undefined) {
    reading.groupBy.add(year.name)
    reading.follow(`group_by:${year.name}`, ...timely.map((label) => `analysis:${label}`), "time")
    reading.timeColumn = year.name
    return
  }
  reading.refusal = "the data has no dates, so it shows no development"
}
