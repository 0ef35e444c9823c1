/** What is measured: every column still unclaimed, by what kind of column it is. */
import { divides, measures } from "./Reading.ts"
import type { Reading } from "./Reading.ts"

const wantsGroups = (reading: Reading): boolean =>
  (["compare", "ranking", "count", "share", "trend"] as const).some((one) =>
    reading.analysis.has(one),
  )

export const readMetrics = (reading: Reading): void => {
  for (const mention of reading.mentions) {
    if (mention.value !== undefined || !reading.areFree(mention.start, mention.end)) continue
    const prefers = mention.columns.some(measures) ? measures : divides
    const column = reading.columnOf(mention, prefers)
    reading.take(mention.start, mention.end)
    if (column === undefined) continue
    if (measures(column)) {
      reading.metrics.add(column.name)
    } else if (column.type === "date") {
      if (reading.timeColumn === "") reading.timeColumn = column.name
    } else if (wantsGroups(reading) || reading.metrics.size > 0 || reading.groupBy.size > 0) {
      reading.groupBy.add(column.name)
    } else if (reading.analysis.size > 0) {
      // "distribution of region": the column itself is looked at.
      reading.metrics.add(column.name)
    } else {
      reading.groupBy.add(column.name)
    }
  }
}

/** A condition's column is measured too when nothing else is: "revenue above 1000". */
export const settleMetrics = (reading: Reading): void => {
  const counts = (["count", "distinct", "summary", "filter"] as const).some((one) =>
    reading.analysis.has(one),
  )
  if (reading.metrics.size > 0 || counts || reading.missing.length > 0) return
  for (const constraint of reading.constraints) {
    if (constraint.kind !== "filter") continue
    const column = reading.profile.columns.find(({ name }) => name === constraint.column)
    if (column !== undefined && measures(column) && column !== reading.yearColumn()) {
      reading.metrics.add(column.name)
    }
  }
}
