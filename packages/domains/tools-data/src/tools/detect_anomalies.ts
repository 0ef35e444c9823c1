/** Finds values that do not fit the season, level and spread of their series. */
import * as Effect from "effect/Effect"
import type { Json, ToolInvocation } from "@planloom/plugin/effect"
import { grains } from "@planloom/tables"
import type { Grain } from "@planloom/tables"
import { attempt, refused } from "../DataFailed.ts"
import type { DataFailed } from "../DataFailed.ts"
import { extend, many, optional, tableIn } from "../DataTool.ts"
import type { DataTool } from "../DataTool.ts"
import { aggregations } from "../table/Operation.ts"
import { rhythm } from "../table/Rhythm.ts"
import { isNumeric } from "../table/Table.ts"
import type { Column, Table } from "../table/Table.ts"
import { readColumn, readColumns } from "../table/read.ts"
import { titleOf } from "../table/wording.ts"
import { asSeries } from "./asSeries.ts"
import { seriesParams } from "./params.ts"

interface Wish {
  readonly column: Column
  readonly groups: ReadonlyArray<Column>
  readonly time: Column | undefined
  readonly grain: Grain | undefined
  readonly agg: string
  readonly threshold: number
  readonly all: boolean
}

/** The only date column unless one is named; without dates, values are compared with their median. */
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

/** Iglewicz & Hoaglin's cutoff, in robust standard deviations. */
const THRESHOLD = 3.5

const methodNote = (wish: Wish, season: ReadonlyArray<string>): string => {
  const against =
    wish.time === undefined
      ? "the median of its series"
      : season.length === 0
        ? "the rolling median of its series"
        : `its series' rolling level and ${season.includes("weekday") ? "weekday" : "seasonal"}${season.length > 1 ? " and seasonal" : ""} pattern`
  return `Each value is compared with ${against}; score is the distance in robust standard deviations (Iglewicz & Hoaglin 1993), beyond ${wish.threshold} counts as an anomaly.`
}

const overTime = Effect.fnUntraced(function* (table: Table, wish: Wish, time: Column) {
  const series = yield* asSeries(table, { ...wish, time, columns: [wish.column] })
  const { season, window } = rhythm(series.grain, series.first, series.last)
  return {
    raws: [
      ...series.raws,
      {
        op: "anomalies",
        column: wish.column.name,
        group_by: wish.groups.map(({ name }) => name),
        time: { column: time.name, season, window },
        threshold: wish.threshold,
        all: wish.all,
      },
    ],
    notes: [methodNote(wish, season), ...series.notes],
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
        ...seriesParams({
          group_by: "One series for each group of these columns.",
          time_grain: "The unit of time to look at; that of the table unless given.",
        }),
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
    const { raws, notes } =
      wish.time === undefined ? overRows(wish) : yield* overTime(table, wish, wish.time)
    return yield* extend(table, raws, {
      title: () =>
        `${wish.all ? "Values and anomalies" : "Anomalies"} in ${titleOf(wish.column).toLowerCase()}`,
      notes,
    })
  }),
}
