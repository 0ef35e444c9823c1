/** Reads intervals of time: "monthly", "year by year", "over the years", and those after "by". */
import { askedGrains } from "../requirements/Requirements.ts"
import type { AskedGrain } from "../requirements/Requirements.ts"
import type { Reading } from "./Reading.ts"

/** The interval at this index. */
export const grainAt = (
  reading: Reading,
  at: number,
): { grain: AskedGrain; length: number } | undefined => {
  const match = reading.phrase(at, reading.lexicon.grains)
  return match === undefined
    ? undefined
    : { grain: match.label as AskedGrain, length: match.length }
}

/** Sets the interval; without dates a column of years or months by that name divides instead. */
export const setGrain = (reading: Reading, grain: AskedGrain, start: number, end: number): void => {
  const date = reading.dateColumn()
  if (date !== undefined) {
    reading.claim("time", start, end)
    reading.timeColumn ||= date.name
    // "months across the years" is every month of every year.
    const finest = Math.min(
      ...[grain, reading.grain]
        .filter((one) => one !== "unknown")
        .map((one) => askedGrains.indexOf(one)),
    )
    if (reading.grain !== "unknown" && reading.grain !== grain) {
      reading.notes.push(
        `every ${askedGrains[finest] ?? grain} of the whole time, one after another`,
      )
    }
    reading.grain = askedGrains[finest] ?? grain
    return
  }
  const year = grain === "year" ? reading.yearColumn() : undefined
  const named = reading.profile.columns.find(({ name }) => name.toLowerCase() === grain) ?? year
  if (named !== undefined) {
    reading.groupBy.add(named.name)
    reading.claim(`group_by:${named.name}`, start, end)
    return
  }
  reading.lacks(start, end, `The data has no dates, so it cannot be divided by ${grain}.`)
}

/** "monthly", "year by year", "over the years": intervals without a "by". */
export const readGrains = (reading: Reading): void => {
  const { lexicon, tokens } = reading
  for (let at = 0; at < tokens.length; at++) {
    const match = grainAt(reading, at)
    if (match === undefined || reading.mention(at)?.quality === 1) continue
    const { word, stem } = tokens[at] ?? { word: "", stem: "" }
    if (match.length === 1 && word !== stem) {
      // "days with wind above 8" refers to rows.
      reading.claim("rows", at)
      continue
    }
    const end = at + match.length
    // "in a year" and "per day" without a measure still name the interval.
    const trend = reading.phrase(at, lexicon.analysis)
    if (trend?.label === "trend" || trend?.label === "compare") {
      reading.analysis.add(trend.label)
      reading.claim(`analysis:${trend.label}`, at, at + trend.length)
      reading.free(at, at + trend.length)
    }
    setGrain(reading, match.grain, at, end)
  }
}
