/** Completes requirements by each other, once every word is read: groups, time and limits that follow from other parts. */
import type { Constraint } from "../requirements/Requirements.ts"
import { flagOf, yearColumnOf } from "./columnKinds.ts"
import type { Reading } from "./Reading.ts"
import { resolveRates } from "./resolveRates.ts"

/** Conditions without a metric ask for the matching rows; "tickets by channel" counts. */
const resolveRows = (reading: Reading): void => {
  const divided = reading.groupBy.size > 0 || reading.grain !== "unknown"
  if (reading.uses("rows") && divided && reading.metrics.size + reading.analysis.size === 0) {
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
const resolveGroups = (reading: Reading): void => {
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
const resolveFilters = (reading: Reading): void => {
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

type Top = Extract<Constraint, { kind: "top_n" }>

const resolveLimits = (reading: Reading): void => {
  dropMissing(reading)
  const [per] = reading.each
  const parts = new Set([...reading.groupBy, reading.timeColumn].filter((name) => name !== ""))
  // A single group is the one to rank.
  if (per === undefined || parts.size < 2 || !parts.has(per)) return
  const { constraints } = reading
  const at = constraints.findIndex(({ kind }) => kind === "top_n")
  const top = constraints[at] as Top | undefined
  if (top !== undefined) constraints[at] = { ...top, per }
}

/** Rows without a group are no group to rank. */
const dropMissing = (reading: Reading): void => {
  if (!reading.constraints.some(({ kind }) => kind === "top_n" || kind === "having")) return
  for (const { name, nulls, type } of reading.profile.columns) {
    const isLimited = reading.constraints.some(
      (one) => one.kind === "filter" && one.column === name,
    )
    if (nulls === undefined || type !== "string" || !reading.groupBy.has(name) || isLimited)
      continue
    reading.constraints.push({ kind: "filter", column: name, op: "is_not_null" })
    reading.follow(`filter:${name}`, `group_by:${name}`)
    reading.notes.push(`rows without ${name} are left out`)
  }
}

/** "do smokers tip more": smokers beside the others. */
const compareFlags = (reading: Reading): void => {
  const { analysis, constraints, groupBy, profile } = reading
  if (!analysis.has("compare") || groupBy.size > 0 || reading.grain !== "unknown") return
  const flags = profile.columns.filter(
    (column) =>
      flagOf(column) !== undefined &&
      constraints.some((one) => one.kind === "filter" && one.column === column.name),
  )
  const [only] = flags
  if (only === undefined || flags.length > 1) return
  const kept = constraints.filter((one) => one.kind !== "filter" || one.column !== only.name)
  constraints.splice(0, Infinity, ...kept)
  groupBy.add(only.name)
  reading.follow(`group_by:${only.name}`, `filter:${only.name}`)
}

/** Analyses of a series. */
const timely = ["trend", "forecast", "moving_average"] as const

/** A trend needs time: the date column, or a column of years, whichever the table has. */
const resolveTime = (reading: Reading): void => {
  const goes = timely.some((label) => reading.analysis.has(label))
  const timed = goes || reading.grain !== "unknown"
  if (!timed || reading.timeColumn !== "") return
  const date = reading.dateColumn()
  if (date !== undefined) {
    reading.timeColumn = date.name
    return
  }
  const year = yearColumnOf(reading.profile)
  if (year !== undefined) {
    reading.groupBy.add(year.name)
    reading.follow(`group_by:${year.name}`, ...timely.map((label) => `analysis:${label}`), "time")
    reading.timeColumn = year.name
    return
  }
  reading.refusal = "the data has no dates, so it shows no development"
}

export const resolve = (reading: Reading): void => {
  resolveRates(reading)
  resolveFilters(reading)
  resolveLimits(reading)
  compareFlags(reading)
  resolveTime(reading)
  resolveGroups(reading)
  resolveRows(reading)
}
