/** Converts a table to a series with one value per time and group; aggregates rows that share a time. */
import * as Effect from "effect/Effect"
import type { Grain } from "@planloom/tables"
import { refused } from "../DataFailed.ts"
import { readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { wholePeriods } from "../table/Period.ts"
import { grainOf } from "../table/Rhythm.ts"
import type { Column, Table } from "../table/Table.ts"
import { identifier } from "../table/sql.ts"

export interface SeriesRequest {
  readonly columns: ReadonlyArray<Column>
  readonly groups: ReadonlyArray<Column>
  readonly time: Column
  /** Defaults to the table's grain. */
  readonly grain: Grain | undefined
  readonly agg: string
  /** The one column is the number of rows. */
  readonly rows?: boolean
  /** Creates one point per unit of time, even if the table already has one row per time. */
  readonly regular?: boolean
}

export interface Series {
  /** Operations that make the series. */
  readonly raws: ReadonlyArray<unknown>
  readonly grain: Grain
  /** First and last moment (ISO) of complete units. */
  readonly first: string
  readonly last: string
  readonly notes: ReadonlyArray<string>
}

/** Span and density of the series, and whether several rows share a time. */
const look = (table: Table, { groups, time }: SeriesRequest, cut: Grain | undefined) =>
  withLineage(table, (opened) =>
    Effect.gen(function* () {
      const at = identifier(time.name)
      const point = cut === undefined ? at : `date_trunc('${cut}', ${at})`
      const keys = [...groups.map(({ name }) => identifier(name)), point]
      const { rows } = yield* readRowsSql(
        opened,
        (from) =>
          `SELECT min(${at}) AS first, max(${at}) AS last, count(DISTINCT CAST(${at} AS DATE)) AS days, count(*) AS n, (SELECT count(*) FROM (SELECT DISTINCT ${keys.join(", ")} FROM ${from} WHERE ${at} IS NOT NULL)) AS points FROM ${from} WHERE ${at} IS NOT NULL`,
      )
      const row = rows[0]!
      return {
        first: String(row["first"] ?? ""),
        last: String(row["last"] ?? ""),
        days: Number(row["days"]),
        shared: Number(row["points"]) < Number(row["n"]),
        empty: Number(row["n"]) === 0,
      }
    }),
  )

/** Operations that convert the table to a series. Partially covered first and last periods are omitted, because they look like low values. */
export const asSeries = Effect.fnUntraced(function* (table: Table, wish: SeriesRequest) {
  const { time, columns, groups, agg } = wish
  if (time.type !== "date")
    return yield* refused(
      `${JSON.stringify(time.name)} holds ${time.type}s, not dates: parse it with parse_datetime first`,
      { column: time.name, type: time.type },
    )
  const native = time.grain
  const seen = yield* look(table, wish, wish.grain === native ? undefined : wish.grain)
  if (seen.empty) return yield* refused(`${JSON.stringify(time.name)} has no dates`)
  const grain = wish.grain ?? native ?? grainOf(seen.first, seen.last, seen.days)
  const finer = wish.grain !== undefined || wish.regular === true
  const aggregated = seen.shared || wish.rows === true || (grain !== native && finer)
  const whole = native === undefined ? wholePeriods(grain, seen.first, seen.last) : undefined
  const names = wish.rows === true ? "each row" : columns.map(({ name }) => name).join(" and ")
  const raws = [
    ...(whole === undefined
      ? []
      : [
          {
            op: "filter",
            where: [
              { column: time.name, op: ">=", value: whole.from },
              { column: time.name, op: "<", value: whole.to },
            ],
          },
        ]),
    {
      op: "aggregate",
      group_by: groups.map(({ name }) => name),
      time: { column: time.name, grain },
      measures: columns.map(({ name }) => ({
        column: wish.rows === true ? null : name,
        agg,
        as: name,
      })),
    },
  ]
  const series: Series = {
    raws: aggregated ? raws : [],
    grain,
    first: aggregated && whole !== undefined ? whole.from : seen.first,
    last: aggregated && whole !== undefined ? dayBefore(whole.to) : seen.last,
    notes: aggregated
      ? [
          `Before, ${names} was put together (${agg}) per ${grain}.`,
          ...(whole === undefined
            ? []
            : [`Left out: ${grain}s the data covers only in part (${whole.cut.join(", ")}).`]),
        ]
      : [],
  }
  return series
})

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
