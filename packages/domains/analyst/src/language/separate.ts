/** Groups the rows by time, so that periods can be compared. */
import { yearColumnOf } from "./columnKinds.ts"
import type { Period } from "./Item.ts"
import type { Reading } from "./Reading.ts"

export const separate = (reading: Reading, unit: Period["unit"]): void => {
  const year = yearColumnOf(reading.profile)
  if (reading.dateColumn() !== undefined) reading.grain = unit
  else if (year !== undefined) {
    reading.groupBy.add(year.name)
    reading.follow(`group_by:${year.name}`, "analysis:compare", "analysis:change")
  }
}
