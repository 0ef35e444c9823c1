/** What is measured: every column still unclaimed, by what kind of column it is. */
import type { Column } from "@planloom/tables"
import { divides, measures, numbersRows } from "./Reading.ts"
import type { Reading } from "./Reading.ts"
import { meansRows, takeRows } from "./takeRows.ts"

const wantsGroups = (reading: Reading): boolean =>
  (["compare", "ranking", "count", "share", "trend"] as const).some((one) =>
    reading.analysis.has(one),
  )

/** "orders by shop", where orders are numbered: the rows are meant, not their numbers. */
const isNumbering = (reading: Reading, column: Column): boolean =>
  numbersRows(column, reading.profile.rows) &&
  [...reading.analysis].every((one) => one === "count" || one === "filter")

export const readMetrics = (reading: Reading): void => {
  for (const mention of reading.mentions) {
    if (mention.value !== undefined || !reading.areFree(mention.start, mention.end)) continue
    if (meansRows(mention)) {
      takeRows(reading, mention.start)
      continue
    }
    const prefers = mention.columns.some(measures) ? measures : divides
    const column = reading.columnOf(mention, prefers)
    reading.take(mention.start, mention.end)
    if (column === undefined) continue
    if (isNumbering(reading, column)) {
      reading.rowWord ??= reading.textOf(mention.start, mention.end)
    } else if (measures(column)) {
      reading.metrics.add(column.name)
    } else if (column.type === "date") {
      // "opened in 2024" says which date the period is of.
      const limited = reading.constraints.some(
        (one) => one.kind === "filter" && one.column === column.name,
      )
      if (reading.timeColumn === "" && !limited) reading.timeColumn = column.name
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

/** "average score" of a column of texts has no answer, and an average of something else is none. */
export const settleTexts = (reading: Reading): void => {
  if (reading.metrics.size > 0) return
  for (const { columns, end, start, value } of reading.mentions) {
    const told = reading.phraseBefore(start, reading.lexicon.analysis)?.label
    const [column] = columns
    if (column?.type !== "string" || value !== undefined) continue
    if (told !== "average" && told !== "median") continue
    reading.groupBy.delete(column.name)
    reading.missing.push(reading.textOf(start, end))
    reading.questions.push(
      `${column.name} holds texts, so it has no ${told}. Which column should I measure?`,
    )
  }
}

/** Conditions and nothing to compute ask for the rows that meet them; "tickets by channel" counts. */
export const settleRows = (reading: Reading): void => {
  const divided = reading.groupBy.size > 0 || reading.grain !== "unknown"
  if (
    reading.rowWord !== undefined &&
    divided &&
    reading.metrics.size + reading.analysis.size === 0
  ) {
    reading.analysis.add("count")
  }
  const filtered = reading.constraints.some(({ kind }) => kind === "filter")
  const asked = reading.analysis.size + reading.metrics.size + reading.groupBy.size
  if (filtered && asked === 0 && reading.timeColumn === "") reading.analysis.add("filter")
}

/** "AAPL and MSFT over time" wants a line for each. */
export const settleGroups = (reading: Reading): void => {
  const told = reading.analysis.has("trend") || reading.analysis.has("compare")
  if (!told && reading.grain === "unknown") return
  for (const constraint of reading.constraints) {
    if (constraint.kind !== "filter" || constraint.op !== "in") continue
    const column = reading.profile.columns.find(({ name }) => name === constraint.column)
    if (column?.type === "string") reading.groupBy.add(column.name)
  }
}

/** Two values for one column cannot both hold: "Q1 2023 … and Q1 2024" means either. */
export const settleFilters = (reading: Reading): void => {
  const equal = reading.constraints.filter((one) => one.kind === "filter" && one.op === "=")
  const columns = new Set(equal.flatMap((one) => (one.kind === "filter" ? one.column : [])))
  for (const column of columns) {
    const same = equal.filter((one) => one.kind === "filter" && one.column === column)
    const values = [...new Set(same.map((one) => (one.kind === "filter" ? one.value : null)))]
    if (same.length < 2) continue
    for (const one of same) reading.constraints.splice(reading.constraints.indexOf(one), 1)
    const [first] = values
    // "revenue in Europe and revenue in Asia" wants one number for each.
    const divided = reading.profile.columns.find(({ name }) => name === column)?.type === "string"
    if (divided && values.length > 1) reading.groupBy.add(column)
    reading.constraints.push(
      values.length === 1
        ? { kind: "filter", column, op: "=", value: first ?? null }
        : { kind: "filter", column, op: "in", value: values.map((value) => value ?? null) },
    )
  }
}
