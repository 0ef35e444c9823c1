/** Totals, averages and counts per group and per unit of time. */
import * as Effect from "effect/Effect"
import type { Json, ToolInvocation } from "@planloom/plugin"
import { attempt, refused } from "../DataFailed.ts"
import { extend, many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { aggregations } from "../table/Operation.ts"
import { isRaw } from "../table/read.ts"
import { grains, type Table } from "../table/Table.ts"
import { filtersParam, groupByParam } from "./params.ts"

/** One measure keeps the column's name; several of one column are told apart by the function. */
const measuresOf = (invocation: ToolInvocation): ReadonlyArray<unknown> => {
  const agg = optional(invocation, "agg") ?? "sum"
  const metrics = many(invocation, "metrics").map((column) => ({ column, agg }))
  const more = many(invocation, "measures").map((raw) =>
    isRaw(raw) ? { column: raw["column"] ?? null, agg: raw["agg"] } : { column: raw, agg },
  )
  const wanted: ReadonlyArray<{ column: unknown; agg: unknown }> = [...metrics, ...more]
  if (wanted.length === 0) {
    if (agg !== "count") throw refused(`aggregate needs metrics: the columns to compute ${agg} of`)
    return [{ column: null, agg: "count", as: "count" }]
  }
  return wanted.map(({ column, agg }) => {
    const twice = wanted.filter((other) => other.column === column).length > 1
    const name = typeof column === "string" ? column : "count"
    return { column, agg, as: twice ? `${name}_${String(agg)}` : name }
  })
}

/** Text in the time column is read as dates first, by the forms that need no format. */
const parsing = (table: Table, time: string | undefined): ReadonlyArray<unknown> => {
  const column = table.columns.find(({ name }) => name === time)
  return column !== undefined && (column.type === "string" || column.type === "integer")
    ? [{ op: "parse_datetime", column: time, formats: [], to: "date" }]
    : []
}

const operations = (table: Table, invocation: ToolInvocation): ReadonlyArray<unknown> => {
  const time = optional(invocation, "time_column")
  const grain = optional(invocation, "time_grain")
  const filters = many(invocation, "filters")
  if (time === undefined && grain !== undefined) throw refused("time_grain needs a time_column")
  return [
    ...parsing(table, time),
    ...(filters.length === 0 ? [] : [{ op: "filter", where: filters }]),
    {
      op: "aggregate",
      group_by: many(invocation, "group_by"),
      time: time === undefined ? null : { column: time, grain: grain ?? "month" },
      measures: measuresOf(invocation),
    },
  ]
}

export const aggregate: DataTool = {
  tool: {
    name: "aggregate",
    summary: "Groups rows and computes totals, averages, counts… per group and per unit of time.",
    capabilities: ["aggregate", "group_by", "summarize", "total", "compare", "time_series"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        group_by: groupByParam,
        metrics: {
          type: "array",
          items: { type: "string" },
          role: "metrics",
          description: "Columns to compute. Not needed for agg count: then rows are counted.",
        },
        agg: {
          type: "string",
          enum: [...aggregations],
          default: "sum",
          role: "agg",
          description: "What to compute of each metric.",
        },
        measures: {
          type: "array",
          items: {
            type: "object",
            properties: {
              column: { type: "string" },
              agg: { type: "string", enum: [...aggregations] },
            },
            required: ["agg"],
            additionalProperties: false,
          },
          description: "More numbers with another agg each: {column, agg}.",
        },
        time_column: {
          type: "string",
          role: "time_column",
          description: "A date column to cut into units of time.",
        },
        time_grain: {
          type: "string",
          enum: [...grains],
          role: "time_grain",
          description: "The unit of time; month unless given. Weeks begin on Monday.",
        },
        filters: filtersParam,
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "transform",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const raws = yield* attempt(() => operations(table, invocation))
    const result: Json = yield* extend(table, raws)
    return result
  }),
}
