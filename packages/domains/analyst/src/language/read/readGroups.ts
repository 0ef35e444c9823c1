/** Reads groups of rows: "by region and category", "per month", "for each product", "which country". */
import { isGroupable, isMeasurable } from "../columnKinds.ts"
import { define, reader, type Found } from "../Form.ts"
import { EXACT } from "../matchColumns.ts"
import type { Reading } from "../Reading.ts"
import { setGrain } from "../setGrain.ts"

/** A column named as exactly as an interval is that column: a column called "month". */
define("PART", "(THE | EACH | AMOUNT)* (GRAIN | GROUP)", (found, reading) => {
  const grain = found.first("GRAIN")
  const mention = reading.mention((grain ?? found.first("GROUP"))?.start ?? found.start)
  if (grain === undefined) return found.of("GROUP")
  const isColumn =
    mention !== undefined &&
    mention.value === undefined &&
    (mention.quality === EXACT || mention.end > grain.end) &&
    mention.columns.some(({ type }) => type !== "date")
  return isColumn ? undefined : grain.of
})

/** "top 3 channels by satisfaction": a number that could group, too, is the ranking metric. */
const ranks = (found: Found, reading: Reading): boolean =>
  reading.stem((found.first("PART")?.start ?? 0) - 1) === "by" &&
  reading.constraints.some(({ kind }) => kind === "top_n") &&
  found.all("PART").every(({ of }) => typeof of !== "string" && of.columns.every(isMeasurable))

const readParts = (found: Found, reading: Reading): boolean => {
  if (ranks(found, reading)) return false
  for (const item of found.all("PART")) {
    const before = [...reading.groupBy, reading.timeColumn]
    if (typeof item.of === "string")
      setGrain(reading, item.of, { start: item.end - 1, end: item.end })
    else {
      const column = reading.columnOf(item.of, isGroupable)
      if (column !== undefined) reading.divideBy(column, item.of.start, item.end)
    }
    if (found.of("BY") !== "each") continue
    for (const name of [...reading.groupBy, reading.timeColumn])
      if (!before.includes(name)) reading.each.add(name)
  }
  reading.claimRest("list", found)
  return true
}

export const readGroups = reader([
  ["(BY | WHICH) PART ((, | / | &) JOINT? PART | JOINT PART)*", readParts],
])
