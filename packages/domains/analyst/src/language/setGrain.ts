/** Sets the interval of time; without dates a column of years or months by that name divides instead. */
import { askedGrains, type AskedGrain } from "../requirements/Requirements.ts"
import { yearColumnOf } from "./columnKinds.ts"
import type { Place, Reading } from "./Reading.ts"

export const setGrain = (reading: Reading, grain: AskedGrain, { end, start }: Place): void => {
  const date = reading.dateColumn()
  if (date !== undefined) {
    reading.claim("time", start, end)
    reading.timeColumn ||= date.name
    // "months across the years" is every month of every year.
    const asked: ReadonlyArray<AskedGrain> = [grain, reading.grain].filter(
      (one) => one !== "unknown",
    )
    const finest = askedGrains.find((one) => one !== "unknown" && asked.includes(one)) ?? grain
    if (asked.length > 1 && reading.grain !== grain)
      reading.notes.push(`every ${finest} of the whole time, one after another`)
    reading.grain = finest
    return
  }
  const year = grain === "year" ? yearColumnOf(reading.profile) : undefined
  const named = reading.profile.columns.find(({ name }) => name.toLowerCase() === grain) ?? year
  if (named === undefined)
    reading.lacks(start, end, `The data has no dates, so it cannot be divided by ${grain}.`)
  else reading.divideBy(named, start, end)
}
