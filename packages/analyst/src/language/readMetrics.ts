/** Reads metrics: every unclaimed column, by its type. */
import type { Column } from "@planloom/tables"
import { isGroupable, isMeasurable, isRowNumber } from "./columnKinds.ts"
import type { Reading } from "./Reading.ts"
import { PART } from "./matchColumns.ts"
import { meansRows, readRowNoun, rowNounAt } from "./readRowNoun.ts"

const wantsGroups = (reading: Reading): boolean =>
  (["compare", "ranking", "share", "rate", "trend"] as const).some((one) =>
    reading.analysis.has(one),
  )

/** "orders by shop", where orders are numbered: means the rows, not their numbers. */
const isNumbering = (reading: Reading, column: Column): boolean =>
  isRowNumber(column, reading.profile.rows) &&
  [...reading.analysis].every((one) => one === "count" || one === "filter")

export const readMetrics = (reading: Reading): void => {
  for (const mention of reading.mentions) {
    if (mention.value !== undefined || !reading.areFree(mention.start, mention.end)) continue
    if (meansRows(mention) || rowNounAt(reading, mention.start) === mention.end) {
      readRowNoun(reading, mention.start)
      continue
    }
    const prefers = mention.columns.some(isMeasurable) ? isMeasurable : isGroupable
    const column = reading.columnOf(mention, prefers)
    if (column === undefined) {
      reading.block(mention.start, mention.end)
      continue
    }
    const claim = (used: string) => reading.claim(used, mention.start, mention.end)
    if (isNumbering(reading, column)) {
      reading.rowWord ??= reading.textOf(mention.start, mention.end)
      claim("rows")
    } else if (isMeasurable(column)) {
      reading.metrics.add(column.name)
      claim(`metrics:${column.name}`)
    } else if (column.type === "date") {
      // "opened in 2024" names the date column of the period.
      const limited = reading.constraints.some(
        (one) => one.kind === "filter" && one.column === column.name,
      )
      const led = ["by", "per", "over", "each", "which", "what"].includes(
        reading.stem(mention.start - 1),
      )
      const isAxis =
        led ||
        reading.analysis.has("trend") ||
        (reading.metrics.size > 0 && mention.quality >= PART)
      if (!limited && !isAxis) {
        // "ordered" of a table of orders with their times.
        if (rowNounAt(reading, mention.start) !== undefined || mention.quality < PART) claim("rows")
        else reading.block(mention.start, mention.end)
        continue
      }
      if (reading.timeColumn === "" && !limited) reading.timeColumn = column.name
      claim(limited ? `filter:${column.name}` : "time")
    } else if (reading.analysis.has("count") || reading.analysis.has("distinct")) {
      reading.block(mention.start, mention.end)
    } else if (wantsGroups(reading) || reading.metrics.size > 0 || reading.groupBy.size > 0) {
      reading.groupBy.add(column.name)
      claim(`group_by:${column.name}`)
    } else if (reading.analysis.size > 0) {
      // "distribution of region": refers to the column itself.
      reading.metrics.add(column.name)
      claim(`metrics:${column.name}`)
    } else {
      reading.groupBy.add(column.name)
      claim(`group_by:${column.name}`)
    }
  }
}

/** "average score" of a text column has no answer; averaging another column would be wrong. */
export const resolveTexts = (reading: Reading): void => {
  if (reading.metrics.size > 0) return
  for (const { columns, end, start, value } of reading.mentions) {
    const analysis = reading.phraseBefore(start, reading.lexicon.analysis)?.label
    const [column] = columns
    if (column?.type !== "string" || value !== undefined) continue
    if (analysis !== "average" && analysis !== "median") continue
    reading.groupBy.delete(column.name)
    reading.lacks(
      start,
      end,
      `${column.name} holds texts, so it has no ${analysis}. Which column should I measure?`,
      reading.profile.columns.filter(isMeasurable).map(({ name }) => name),
    )
  }
}

/** Conditions without a metric ask for the matching rows; "tickets by channel" counts. */
export const resolveRows = (reading: Reading): void => {
  const divided = reading.groupBy.size > 0 || reading.grain !== "unknown"
  const rows = reading.claims.some(
    ({ used }) => "requirement" in used && used.requirement === "rows",
  )
  if (rows && divided && reading.metrics.size + reading.analysis.size === 0) {
    reading.analysis.add("count")
    reading.follow("analysis:count", "rows")
  }
  const filtered = reading.constraints.some(({ kind }) => kind === "filter")
  const asked = reading.analysis.size + reading.metrics.size + reading.groupBy.size
  if (filtered && asked === 0 && reading.timeColumn === "") {
    reading.analysis.add("filter")
    for (const one of reading.constraints)
      if (one.kind === "filter") reading.follow("analysis:filter", `filter:${one.column}`)
  }
}

/** "AAPL and MSFT over time" needs one line for each. */
export const resolveGroups = (reading: Reading): void => {
  const analysis = reading.analysis.has("trend") || reading.analysis.has("compare")
  if (!analysis && reading.grain === "unknown") return
  for (const constraint of reading.constraints) {
    if (constraint.kind !== "filter" || constraint.op !== "in") continue
    const column = reading.profile.columns.find(({ name }) => name === constraint.column)
    if (column?.type !== "string") continue
    reading.groupBy.add(column.name)
    reading.follow(`group_by:${column.name}`, `filter:${column.name}`)
  }
}

/** Two values for one column cannot both hold: "Q1 2023 … and Q1 2024" means either. */
export const resolveFilters = (reading: Reading): void => {
  const equal = reading.constraints.filter((one) => one.kind === "filter" && one.op === "=")
  const columns = new Set(equal.flatMap((one) => (one.kind === "filter" ? one.column : [])))
  for (const column of columns) {
    const same = equal.filter((one) => one.kind === "filter" && one.column === column)
    const values = [...new Set(same.map((one) => (one.kind === "filter" ? one.value : null)))]
    if (same.length < 2) continue
    for (const one of same) reading.constraints.splice(reading.constraints.indexOf(one), 1)
    const [first] = values
    // "revenue in Europe and revenue in Asia" needs one number for each.
    const divided = reading.profile.columns.find(({ name }) => name === column)?.type === "string"
    if (divided && values.length > 1) {
      reading.groupBy.add(column)
      reading.follow(`group_by:${column}`, `filter:${column}`)
    }
    reading.constraints.push(
      values.length === 1
        ? { kind: "filter", column, op: "=", value: first ?? null }
        : { kind: "filter", column, op: "in", value: values.map((value) => value ?? null) },
    )
  }
}
