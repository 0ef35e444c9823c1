/** Describes a step's table in sentences with its numbers. */
import * as Effect from "effect/Effect"
import type { JsonObject, StageContext, ToolFailed } from "@planloom/plugin/effect"
import { can } from "@planloom/planning"
import { isMeasured } from "@planloom/tables"
import type { TableView, ViewColumn } from "@planloom/tables"
import { formatNumber } from "@planloom/stage-kit"
import type { Requirements } from "../requirements/Requirements.ts"
import { aggregates } from "../rules/ToolRoles.ts"
import {
  correlationLines,
  distributionLines,
  forecastLines,
  hasQuartiles,
} from "./analysisSentences.ts"
import { formatCell, formatChange } from "./format.ts"
import type { Found } from "./Found.ts"
import { firstRows, isWhole } from "./readRows.ts"

type Sentences = Effect.Effect<ReadonlyArray<string>, ToolFailed>

/** Maximum number of rows listed in an answer. */
const MAX_ROWS = 5
/** Maximum number of series listed in an answer. */
const MAX_SERIES = 8

interface Shape {
  readonly time: ViewColumn | undefined
  readonly keys: ReadonlyArray<ViewColumn>
  readonly measures: ReadonlyArray<ViewColumn>
}

const shapeOf = (table: TableView, requirements: Requirements): Shape => {
  const time = table.columns.find(
    ({ name, grain }) => grain !== undefined || name === requirements.time.column,
  )
  const divides = (column: ViewColumn) =>
    column !== time && (!isMeasured(column) || requirements.group_by.includes(column.name))
  const keys = table.columns.filter(divides)
  const measures = table.columns.filter((column) => column !== time && !keys.includes(column))
  return { time, keys, measures }
}

/** Numeric names (years, codes) have no thousands separator. */
const nameOf = (row: JsonObject, keys: ReadonlyArray<ViewColumn>): string =>
  keys
    .map(({ name, grain }) => {
      const value = row[name]
      return typeof value === "number" ? String(value) : formatCell(value, grain)
    })
    .join(", ")

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const more = (table: TableView, shown: number): string =>
  table.total > shown ? ` and ${formatNumber(table.total - shown)} more` : ""

/** A total over no rows is a single row of nulls. */
const oneRow = (table: TableView, measures: ReadonlyArray<ViewColumn>): ReadonlyArray<string> => {
  const [row] = table.rows
  if (measures.length > 0 && measures.every(({ name }) => row?.[name] == null)) {
    return [
      `There is no ${measures.map(({ label }) => label).join(" and no ")}: no row that matches has a value.`,
    ]
  }
  return measures.map(({ name, label }) => `${capital(label)}: ${formatCell(row?.[name])}.`)
}

const perGroup = (found: Found, { keys, measures }: Shape, context: StageContext): Sentences =>
  Effect.map(
    Effect.forEach(measures.slice(0, 3), ({ name, label }) =>
      Effect.gen(function* () {
        const { table, step } = found
        const key = `${step.id}:${name}`
        const top = yield* firstRows(
          table,
          { by: name, order: "desc", count: MAX_ROWS },
          context,
          `${key}:highest`,
        )
        const listed = (top ?? table.rows.slice(0, MAX_ROWS)).map(
          (row) => `${nameOf(row, keys)} ${formatCell(row[name])}`,
        )
        const by = keys.map((column) => column.label).join(" and ")
        const head = `${capital(label)} by ${by}${top === undefined ? " (unsorted)" : ", highest first"}`
        const line = `${head}: ${listed.join("; ")}${more(table, listed.length)}.`
        if (top === undefined || table.total <= MAX_ROWS) return [line]
        const bottom = yield* firstRows(
          table,
          { by: name, order: "asc", count: 1 },
          context,
          `${key}:lowest`,
        )
        const [last] = bottom ?? []
        if (last === undefined) return [line]
        return [line, `Lowest: ${nameOf(last, keys)} with ${formatCell(last[name])}.`]
      }),
    ),
    (lines) => lines.flat(),
  )

const course = (
  label: string,
  first: JsonObject,
  last: JsonObject,
  time: ViewColumn,
  measure: string,
): string => {
  const [from, to] = [first[measure], last[measure]]
  const change = formatChange(Number(from), Number(to))
  const span = `${formatCell(from)} in ${nameOf(first, [time])} to ${formatCell(to)} in ${nameOf(last, [time])}`
  return `${label} went from ${span}${change === undefined ? "" : ` (${change})`}.`
}

/** First and last row of each series; a series has one row per time. */
const ends = (found: Found, { time, keys, measures }: Shape, context: StageContext) =>
  Effect.gen(function* () {
    const { table, step } = found
    const averages = can(found.tool, "moving_average")
    const by = time?.name ?? ""
    // A preview has some tens of rows: enough for the first and last time of a few series.
    const ask = (order: "asc" | "desc") =>
      firstRows(
        table,
        { by, order, count: isWhole(table) ? table.total : 50 },
        context,
        `${step.id}:${order}`,
      )
    const series = (rows: ReadonlyArray<JsonObject>) => {
      const seen = new Map<string, JsonObject>()
      for (const row of rows) {
        const name = nameOf(row, keys)
        // A moving average has no value before its first complete window.
        if (averages && (row[measures[0]?.name ?? ""] ?? null) === null) continue
        if (!seen.has(name)) seen.set(name, row)
      }
      return seen
    }
    return { first: series((yield* ask("asc")) ?? []), last: series((yield* ask("desc")) ?? []) }
  })

const overTime = (found: Found, shape: Shape, context: StageContext): Sentences =>
  Effect.gen(function* () {
    const { table, step } = found
    const { time, keys, measures } = shape
    const [measure] = measures
    if (time === undefined || measure === undefined) return []
    const { first, last } = yield* ends(found, shape, context)
    const lines: Array<string> = []
    for (const [name, from] of [...first].slice(0, MAX_SERIES)) {
      const to = last.get(name)
      for (const { name: column, label } of keys.length === 0 ? measures.slice(0, 3) : [measure]) {
        const head = keys.length === 0 ? capital(label) : name
        if (to !== undefined) lines.push(course(head, from, to, time, column))
      }
    }
    const all = [time, ...keys]
    for (const [order, word] of [
      ["desc", "Highest"],
      ["asc", "Lowest"],
    ] as const) {
      const wanted = { by: measure.name, order, count: 1 }
      const [row] =
        (yield* firstRows(table, wanted, context, `${step.id}:${measure.name}:${word}`)) ?? []
      if (row !== undefined) {
        lines.push(
          `${word} ${measure.label}: ${formatCell(row[measure.name])} (${nameOf(row, all)}).`,
        )
      }
    }
    const by = all.map(({ grain, label }) => grain ?? label).join(" and ")
    const title = `${capital(measure.label)} by ${by}:`
    return keys.length === 0 ? lines : [title, ...lines.map((line) => `- ${line}`)]
  })

const anomalies = ({ table, step }: Found, requirements: Requirements): ReadonlyArray<string> => {
  const { column: asked } = step.params
  const measure =
    table.columns.find(({ name }) => name === asked) ??
    table.columns.find(({ name }) => requirements.metrics.includes(name)) ??
    table.columns.find(isMeasured)
  const label = measure?.label ?? "the data"
  if (table.total === 0) return [`No anomalies found in ${label}.`]
  const keys = table.columns.filter((column) => !isMeasured(column) && column.type !== "boolean")
  const lines = table.rows.slice(0, MAX_ROWS).map((row) => {
    const expected = row.expected
    const around = typeof expected === "number" ? `, expected about ${formatNumber(expected)}` : ""
    return `- ${nameOf(row, keys)}: ${formatCell(row[measure?.name ?? ""])}${around}`
  })
  const count = `${formatNumber(table.total)} ${table.total === 1 ? "anomaly" : "anomalies"}`
  return [
    `${count} found in ${label}${table.total > MAX_ROWS ? `, the first ${MAX_ROWS}` : ""}:`,
    ...lines,
  ]
}

/** Columns that identify a row for a reader: the requested ones, else the first text column. */
const namesOf = (table: TableView, { keys, time }: Shape, requirements: Requirements) => {
  const asked = keys.filter(({ name }) => requirements.group_by.includes(name))
  if (asked.length > 0 || time?.grain !== undefined)
    return time === undefined ? asked : [time, ...asked]
  const texts = table.columns.filter(({ type }) => type === "string")
  const named = texts.find(({ name }) => /name|title|label/i.test(name))
  if (named !== undefined) return [named]
  const date = table.columns.find(({ type }) => type === "date")
  return [date, texts[0]].filter((column) => column !== undefined)
}

/** Maximum number of cells listed per row. */
const MAX_CELLS = 8

/** Any other table, row by row: names first, then the requested numbers, else the first ones. */
const byRow = (found: Found, requirements: Requirements): ReadonlyArray<string> => {
  const { table, tool } = found
  const shape = shapeOf(table, requirements)
  const names = namesOf(table, shape, requirements)
  const conditions = requirements.constraints.flatMap((one) =>
    one.kind === "filter" ? one.column : [],
  )
  const asked = table.columns.filter(
    ({ name }) => requirements.metrics.includes(name) || conditions.includes(name),
  )
  const picks = can(tool, "filter") && asked.length > 0
  const shownColumns = (picks ? asked : table.columns.filter(isMeasured)).filter(
    (column) => !names.includes(column),
  )
  const lines = table.rows.slice(0, MAX_ROWS).map((row) => {
    const cells = shownColumns
      .filter(({ name }) => (row[name] ?? null) !== null)
      .slice(
        0,
        picks
          ? shownColumns.length
          : Math.max(MAX_CELLS, can(tool, "statistics") ? shownColumns.length : 0),
      )
      .map(({ name, label }) => `${label} ${formatCell(row[name])}`)
    return `- ${[nameOf(row, names), cells.join(", ")].filter((part) => part !== "").join(": ")}`
  })
  const rows = table.total === 1 ? "row matches" : "rows match"
  return [
    ...(can(tool, "filter") ? [`${formatNumber(table.total)} ${rows}:`] : []),
    ...lines,
    ...(table.total > lines.length ? [`- …${more(table, lines.length)}`] : []),
  ]
}

const ranking = (found: Found, shape: Shape, requirements: Requirements): ReadonlyArray<string> => {
  const { step, table } = found
  const names = namesOf(table, shape, requirements)
  const asked = table.columns.filter(({ name }) => requirements.metrics.includes(name))
  const by = shape.measures.filter(({ name }) => name === step.params.order_by)
  const shownColumns = asked.length > 0 ? asked : by.length > 0 ? by : shape.measures
  return table.rows
    .slice(0, 10)
    .map(
      (row, at) =>
        `${at + 1}. ${nameOf(row, names)}: ${shownColumns.map(({ name }) => formatCell(row[name])).join(", ")}`,
    )
}

/** Sentences for this table; an empty table is reported as such. */
export const sentencesOf = (
  found: Found,
  requirements: Requirements,
  context: StageContext,
): Sentences => {
  const { table, tool } = found
  if (can(tool, "anomaly", "anomaly_detection", "outliers")) {
    return Effect.succeed(anomalies(found, requirements))
  }
  if (table.total === 0) return Effect.succeed(["No rows match the question."])
  if (can(tool, "forecast", "forecasting")) return Effect.succeed(forecastLines(found))
  if (can(tool, "correlation")) return Effect.succeed(correlationLines(found, requirements))
  const spread = requirements.analysis.includes("distribution") && can(tool, "statistics")
  if (spread && hasQuartiles(table)) return Effect.succeed(distributionLines(found))
  const shape = shapeOf(table, requirements)
  if (can(tool, "moving_average")) {
    const averages = { ...shape, measures: shape.measures.slice(-1) }
    return overTime(found, averages, context)
  }
  if (can(tool, "ranking", "top_n", "rank"))
    return Effect.succeed(ranking(found, shape, requirements))
  if (!aggregates(tool) || shape.measures.length === 0 || can(tool, "compare_periods")) {
    return Effect.succeed(byRow(found, requirements))
  }
  if (shape.time !== undefined && table.total > 1) return overTime(found, shape, context)
  if (shape.keys.length > 0) return perGroup(found, shape, context)
  return Effect.succeed(oneRow(table, shape.measures))
}
