/** Selects the columns of a chart and ensures one row per mark. */
import * as Effect from "effect/Effect"
import type { JsonObject } from "@planloom/plugin/effect"
import { attempt, refused } from "../DataFailed.ts"
import { readRows, withLineage } from "../duckdb/evaluate.ts"
import { readColumn, requireNumber } from "../table/read.ts"
import { isNumeric, type Column, type Table } from "../table/Table.ts"

/** Maximum rows of a chart; more would be unreadable and suggest a missing aggregation. */
const MAX_MARKS = 5000

export interface Roles {
  readonly x: Column
  readonly y: ReadonlyArray<Column>
  /** At most two: color and panel. */
  readonly series: ReadonlyArray<Column>
  /** Moving averages of `y`, drawn over the lines. */
  readonly smooth?: ReadonlyArray<Column>
  readonly window?: number
}

/** Resolves the named columns; chooses the others by type, first match first. Throws `DataFailed`. */
export const rolesOf = (
  table: Table,
  given: {
    readonly x: string | undefined
    readonly y: ReadonlyArray<unknown>
    readonly series: ReadonlyArray<unknown>
  },
): Roles => {
  const { columns } = table
  const x =
    given.x === undefined
      ? (columns.find(({ type }) => type === "date") ??
        columns.find((column) => !isNumeric(column)) ??
        columns[0])
      : readColumn(given.x, columns, "x")
  if (x === undefined) throw refused("the table has no columns")
  const y =
    given.y.length === 0
      ? columns.filter((column) => isNumeric(column) && column.name !== x.name).slice(0, 1)
      : given.y.map((name) => readColumn(name, columns, "y"))
  if (y.length === 0)
    throw refused("the table has no number to draw", { columns: columns.map(({ name }) => name) })
  for (const column of y) requireNumber(column, "y needs numbers")
  const series = [
    ...new Set(given.series.map((name) => readColumn(name, columns, "color"))),
  ].filter(({ name }) => name !== x.name)
  if (series.length > 2) throw refused("a chart shows at most two groupings: color and facet")
  return { x, y, series }
}

const keyOf = (row: JsonObject, columns: ReadonlyArray<Column>): string =>
  JSON.stringify(columns.map(({ name }) => row[name] ?? null))

const repeats = (rows: ReadonlyArray<JsonObject>, columns: ReadonlyArray<Column>): boolean =>
  new Set(rows.map((row) => keyOf(row, columns))).size < rows.length

/** A grouping that the call does not name still distinguishes rows, so it becomes a series. */
const completed = (roles: Roles, table: Table, rows: ReadonlyArray<JsonObject>): Roles => {
  let series = roles.series
  const used = new Set([roles.x, ...roles.y, ...series].map(({ name }) => name))
  for (const column of table.columns) {
    if (series.length === 2 || !repeats(rows, [roles.x, ...series])) break
    if (used.has(column.name) || (column.type !== "string" && column.type !== "boolean")) continue
    series = [...series, column]
  }
  if (repeats(rows, [roles.x, ...series]))
    throw refused(
      `there are several rows for one value of ${JSON.stringify(roles.x.name)}${series.length === 0 ? "" : ` and ${series.map(({ name }) => JSON.stringify(name)).join(", ")}`}: aggregate the table first`,
      { needs: "aggregate", x: roles.x.name, series: series.map(({ name }) => name) },
    )
  return { ...roles, series }
}

/** The rows to draw, one per mark, and the completed roles. */
export const chartData = Effect.fnUntraced(function* (table: Table, roles: Roles) {
  const { rows, total } = yield* withLineage(table, (opened) => readRows(opened, MAX_MARKS + 1))
  if (total > MAX_MARKS)
    return yield* refused(
      `${total} rows are too many for a chart (at most ${MAX_MARKS}): aggregate or filter the table first`,
      { needs: "aggregate", rows: total },
    )
  const drawn = rows.filter(
    (row) =>
      (row[roles.x.name] ?? null) !== null || !(roles.x.type === "date" || isNumeric(roles.x)),
  )
  if (drawn.length === 0) return yield* refused("the table has no rows to draw", { rows: 0 })
  return { rows: drawn, roles: yield* attempt(() => completed(roles, table, drawn)) }
})
