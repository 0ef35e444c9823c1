/** Adds the time interval that a comparison of periods needs. */
import type { AskedGrain } from "../requirements/Requirements.ts"
import type { Reading } from "./Reading.ts"

const shapes: ReadonlyArray<readonly [RegExp, AskedGrain]> = [
  [/^\d{4}$/, "year"],
  [/^\d{4}-Q\d$/, "quarter"],
  [/^\d{4}-\d{2}$/, "month"],
  [/^\d{4}-\d{2}-\d{2}$/, "day"],
]

/** "compare this year to last year": periods can only be separated if time groups the rows. */
export const resolveComparison = (reading: Reading): void => {
  const date = reading.dateColumn()
  if (!reading.analysis.has("compare") || reading.grain !== "unknown") return
  for (const one of reading.constraints) {
    if (one.kind !== "filter" || one.op !== "in" || one.column !== date?.name) continue
    const values = Array.isArray(one.value) ? one.value.map(String) : []
    const shape = shapes.find(([pattern]) => values.every((value) => pattern.test(value)))
    if (shape === undefined) continue
    reading.timeColumn ||= date.name
    ;[, reading.grain] = shape
  }
}
