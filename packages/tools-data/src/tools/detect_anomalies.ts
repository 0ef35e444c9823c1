/** Values that do not fit their series: its season, its level, its usual spread. */
import * as Effect from "effect/Effect"
import type { Json, ToolInvocation } from "@planloom/plugin"
import { attempt, refused, type DataFailed } from "../DataFailed.ts"
import { extend, many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { aggregations } from "../table/Operation.ts"
import { readColumn, readColumns } from "../table/read.ts"
import { wholePeriods } from "../table/Period.ts"
import { grainOf, rhythm } from "../table/Rhythm.ts"
import { identifier } from "../table/sql.ts"
import { grains, isNumeric, type Column, type Grain, type Table } from "../table/Table.ts"
import { titleOf } from "../table/wording.ts"
import { groupByParam } from "./params.ts"

interface Wish {
  readonly column: Column
  readonly groups: ReadonlyArray<Column>
  readonly time: Column | undefined
  readonly grain: Grain | undefined
  readonly agg: string
  readonly threshold: number
  readonly all: boolean
}

/** The one date column there is, when none is named; without one, values are compared with their median. */
const timeOf = (table: Table, invocation: ToolInvocation): Column | undefined => {
  const given = optional(invocation, "time_column")
  if (given !== undefined) return readColumn(given, table.columns, "time_column")
  const dates = table.columns.filter(({ type }) => type === "date")
  return dates.length === 1 ? dates[0] : undefined
}

const wishOf = (table: Table, invocation: ToolInvocation): Wish => {
  const given = optional(invocation, "column")
  const column =
    given === undefined
      ? table.columns.findLast(isNumeric)
      : readColumn(given, table.columns, "column")
  if (column === undefined) throw refused("the table has no number to look at")
  const grain = optional(invocation, "time_grain")
  return {
    column,
    groups: readColumns(many(invocation, "group_by"), table.columns, "group_by"),
    time: timeOf(table, invocation),
    grain: grains.find((each) => each === grain),
    agg: optional(invocation, "agg") ?? "sum",
    threshold: Number(invocation.params["threshold"] ?? THRESHOLD),
    all: invocation.params["show"] === "all",
  }
}

/** Iglewicz & Hoaglin's cut-off. */
const THRESHOLD = 3.5

/** Span and density of the series, and whether several rows share one point of time. */
const look = (table: Table, { groups, time }: Wish, cut: Grain | undefined) =>
  withLineage(table, (opened) =>
    Effect.gen(function* () {
      const at = identifier(time!.name)
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

const methodNote = (wish: Wish, season: ReadonlyArray<string>): string => {
  const against =
    wish.time === undefined
      ? "the median of its series"
      : season.length === 0
        ? "the rolling median of its series"
        : `its series' rolling level and ${season.includes("weekday") ? "weekday" : "seasonal"}${season.length > 1 ? " and seasonal" : ""} pattern`
  return `Each value is compared with ${against}; score is the distance in robust standard deviations (Iglewicz & Hoaglin 1993), beyond ${wish.threshold} counts as an anomaly.`
}

/** Rows that share a point of time are put together first, because a series has one value per time. */
const overTime = Effect.fnUntraced(function* (table: Table, wish: Wish) {
  const time = wish.time!
  const native = time.grain
  const seen = yield* look(table, wish, wish.grain === native ? undefined : wish.grain)
  if (seen.empty) return yield* refused(`${JSON.stringify(time.name)} has no dates`)
  const grain = wish.grain ?? native ?? grainOf(seen.first, seen.last, seen.days)
  const { season, window } = rhythm(grain, seen.first, seen.last)
  const groups = wish.groups.map(({ name }) => name)
  const aggregated = seen.shared || (grain !== native && wish.grain !== undefined)
  // A period the data only begins or ends in is no low value.
  const whole = native === undefined ? wholePeriods(grain, seen.first, seen.last) : undefined
  const first = aggregated
    ? [
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
          group_by: groups,
          time: { column: time.name, grain },
          measures: [{ column: wish.column.name, agg: wish.agg, as: wish.column.name }],
        },
      ]
    : []
  return {
    raws: [
      ...first,
      {
        op: "anomalies",
        column: wish.column.name,
        group_by: groups,
        time: { column: time.name, season, window },
        threshold: wish.threshold,
        all: wish.all,
      },
    ],
    notes: [
      methodNote(wish, season),
      ...(aggregated
        ? [`Before, ${wish.column.name} was put together (${wish.agg}) per ${grain}.`]
        : []),
      ...(aggregated && whole !== undefined
        ? [`Left out: ${grain}s the data covers only in part (${whole.cut.join(", ")}).`]
        : []),
    ],
  }
})

const overRows = (wish: Wish): { raws: ReadonlyArray<unknown>; notes: ReadonlyArray<string> } => ({
  raws: [
    {
      op: "anomalies",
      column: wish.column.name,
      group_by: wish.groups.map(({ name }) => name),
      time: null,
      threshold: wish.threshold,
      all: wish.all,
    },
  ],
  notes: [methodNote(wish, [])],
})

export const detect_anomalies: DataTool = {
  tool: {
    name: "detect_anomalies",
    summary: "Finds values that do not fit their series, against its season and usual spread.",
    capabilities: ["anomaly", "anomaly_detection", "outliers"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        column: {
          type: "string",
          role: "column",
          description: "The number to look at; the last number column unless given.",
        },
        group_by: { ...groupByParam, description: "One series for each group of these columns." },
        time_column: {
          type: "string",
          role: "time_column",
          description: "The dates of the series; the only date column unless given.",
        },
        time_grain: {
          type: "string",
          enum: [...grains],
          role: "time_grain",
          description: "The unit of time to look at; that of the table unless given.",
        },
        agg: {
          type: "string",
          enum: [...aggregations],
          default: "sum",
          description: "How rows of the same time are put together, where there are several.",
        },
        threshold: {
          type: "number",
          exclusiveMinimum: 0,
          default: THRESHOLD,
          description: "Robust standard deviations beyond which a value is an anomaly.",
        },
        show: {
          type: "string",
          enum: ["anomalies", "all"],
          default: "anomalies",
          description: "all keeps every row and marks the anomalies.",
        },
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const wish = yield* attempt(() => wishOf(table, invocation))
    if (wish.time !== undefined && wish.time.type !== "date")
      return yield* refused(
        `${JSON.stringify(wish.time.name)} holds ${wish.time.type}s, not dates: parse it with parse_datetime first`,
        { column: wish.time.name, type: wish.time.type },
      )
    const { raws, notes } = wish.time === undefined ? overRows(wish) : yield* overTime(table, wish)
    return yield* extend(table, raws, {
      title: () =>
        `${wish.all ? "Values and anomalies" : "Anomalies"} in ${titleOf(wish.column).toLowerCase()}`,
      notes,
    })
  }),
}
