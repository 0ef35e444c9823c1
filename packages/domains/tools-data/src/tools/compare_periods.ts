/** Compares numbers of one period with an earlier one. */
import * as Effect from "effect/Effect"
import type { Json, ToolInvocation } from "@planloom/plugin/effect"
import { grains } from "@planloom/tables"
import type { Grain } from "@planloom/tables"
import { attempt, refused } from "../DataFailed.ts"
import type { DataFailed } from "../DataFailed.ts"
import { extend, many, optional, tableIn } from "../DataTool.ts"
import type { DataTool } from "../DataTool.ts"
import { readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { aggregations } from "../table/Operation.ts"
import { periodAt, readPeriod, shift } from "../table/Period.ts"
import type { Column, Table } from "../table/Table.ts"
import { readColumn } from "../table/read.ts"
import { identifier } from "../table/sql.ts"
import { titleOf } from "../table/wording.ts"
import { grainParam, groupByParam } from "./params.ts"

type Span = readonly [string, string]

const lastDay = (table: Table, time: Column) =>
  withLineage(table, (opened) =>
    Effect.map(
      readRowsSql(opened, (from) => `SELECT max(${identifier(time.name)}) AS last FROM ${from}`),
      ({ rows }) => (rows[0]!["last"] === null ? undefined : String(rows[0]!["last"])),
    ),
  )

/** The requested period, or the last complete one of the grain (the last if none is complete). */
const current = Effect.fnUntraced(function* (
  table: Table,
  time: Column,
  invocation: ToolInvocation,
) {
  const given = optional(invocation, "current")
  if (given !== undefined) return yield* attempt(() => readPeriod(given))
  const last = yield* lastDay(table, time)
  if (last === undefined) return yield* refused(`${JSON.stringify(time.name)} has no dates`)
  const wanted = optional(invocation, "time_grain")
  const grain: Grain = grains.find((each) => each === wanted) ?? "year"
  const found = periodAt(last, grain)
  const lastMoment = Date.parse(`${last.slice(0, 10)}T00:00:00Z`) + 86_400_000
  const complete =
    lastMoment >= Date.parse(`${found[1].replace(" ", "T")}Z`) || time.grain !== undefined
  return complete ? found : shift(found, grain, -1)
})

const previous = (now: Span, invocation: ToolInvocation): Span => {
  const given = optional(invocation, "previous")
  if (given !== undefined) return readPeriod(given)
  return optional(invocation, "against") === "year_ago" ? shift(now, "year", -1) : before(now)
}

/** The previous period of the same length; months stay months. */
const before = (now: Span): Span => {
  for (const grain of grains.toReversed())
    if (periodAt(now[0], grain)[0] === now[0] && periodAt(now[0], grain)[1] === now[1])
      return shift(now, grain, -1)
  const [from, to] = now.map((at) => Date.parse(`${at.replace(" ", "T")}Z`)) as [number, number]
  return [new Date(2 * from - to).toISOString().slice(0, 19).replace("T", " "), now[0]]
}

const spoken = ([from, to]: Span): string =>
  `${from.slice(0, 10)} to ${new Date(Date.parse(`${to.replace(" ", "T")}Z`) - 1).toISOString().slice(0, 10)}`

export const compare_periods: DataTool = {
  tool: {
    name: "compare_periods",
    summary:
      "Compares numbers of one period with an earlier one: difference and change in percent.",
    capabilities: ["compare_periods", "comparison"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        time_column: { type: "string", role: "time_column", description: "The column of dates." },
        metrics: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          role: "metrics",
          description: "Columns to compute in both periods.",
        },
        agg: { type: "string", enum: [...aggregations], default: "sum", role: "agg" },
        group_by: groupByParam,
        time_grain: grainParam(
          "Length of the period when current is not given; year unless given.",
        ),
        current: {
          type: "string",
          description: "2024, 2024-Q2 or 2024-05; the last complete period unless given.",
        },
        previous: {
          type: "string",
          description: "The period to compare with; the one before unless given.",
        },
        against: {
          type: "string",
          enum: ["previous", "year_ago"],
          default: "previous",
          description: "year_ago: the same period one year earlier.",
        },
      },
      required: ["time_column", "metrics"],
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const time = yield* attempt(() =>
      readColumn(invocation.params["time_column"], table.columns, "time_column"),
    )
    if (time.type !== "date") return yield* refused(`${JSON.stringify(time.name)} holds no dates`)
    const now = yield* current(table, time, invocation)
    const then = yield* attempt(() => previous(now, invocation))
    const agg = optional(invocation, "agg") ?? "sum"
    return yield* extend(
      table,
      [
        {
          op: "compare",
          time: time.name,
          current: now,
          previous: then,
          group_by: many(invocation, "group_by"),
          measures: many(invocation, "metrics").map((column) => ({ column, agg, as: column })),
        },
      ],
      {
        title: (columns) =>
          `${titleOf(columns[many(invocation, "group_by").length]!)}: ${spoken(now)} and before`,
        notes: [`Compares ${spoken(now)} with ${spoken(then)}.`],
      },
    )
  }),
}
