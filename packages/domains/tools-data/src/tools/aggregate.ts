/** Totals, averages and counts per group and per unit of time. */
import * as Effect from "effect/Effect"
import { isJsonObject, type Json, type ToolInvocation } from "@planloom/plugin/effect"
import { attempt, refused } from "../DataFailed.ts"
import { appended, extend, many, optional, tableIn } from "../DataTool.ts"
import type { DataTool } from "../DataTool.ts"
import { isKept, readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { aggregations } from "../table/Operation.ts"
import type { Aggregate } from "../table/Operation.ts"
import { wholePeriods } from "../table/Period.ts"
import type { Table } from "../table/Table.ts"
import { identifier, text } from "../table/sql.ts"
import { seriesTitle } from "../table/wording.ts"
import { dividing, divisionParams } from "./divideRows.ts"
import { filtersParam } from "./params.ts"

/** A single measure keeps the column's name; several of one column are distinguished by function. */
const measuresOf = (invocation: ToolInvocation): ReadonlyArray<unknown> => {
  const agg = optional(invocation, "agg") ?? "sum"
  const metrics = many(invocation, "metrics").map((column) => ({ column, agg }))
  const more = many(invocation, "measures").map((raw) =>
    isJsonObject(raw) ? { column: raw["column"] ?? null, agg: raw["agg"] } : { column: raw, agg },
  )
  const wanted: ReadonlyArray<{ column: unknown; agg: unknown }> = [...metrics, ...more]
  if (wanted.length === 0) {
    if (agg !== "count") throw refused(`aggregate needs metrics: the columns to compute ${agg} of`)
    return [{ column: null, agg: "count", as: "count" }]
  }
  return wanted.map(({ column, agg: by }) => {
    const twice = wanted.filter((other) => other.column === column).length > 1
    const name = typeof column === "string" ? column : "count"
    return { column, agg: by, as: twice ? `${name}_${String(by)}` : name }
  })
}

/** Adds a note about partially covered first or last periods, which look like a drop. */
const partialNotes = Effect.fnUntraced(function* (
  table: Table,
  raws: ReadonlyArray<unknown>,
  time: Aggregate["time"],
) {
  const none: ReadonlyArray<string> = []
  if (time === null || time.grain === "hour" || time.grain === "day") return none
  const lineage = yield* attempt(() => appended(table, raws))
  return yield* withLineage(lineage, (opened) =>
    Effect.gen(function* () {
      if (!isKept(opened)) return none
      const at = identifier(time.column)
      const { rows } = yield* readRowsSql(
        opened,
        (from) =>
          `SELECT min(${at}) AS first, max(${at}) AS last, bool_and(${at} = date_trunc(${text(time.grain)}, ${at})) AS starts FROM ${from}`,
      )
      const { first, last, starts } = rows[0]!
      // One day of each period stands for all of it.
      if (typeof first !== "string" || typeof last !== "string" || starts === true) return none
      const whole = wholePeriods(time.grain, first, last)
      return whole === undefined
        ? none
        : [`The data covers these ${time.grain}s only in part: ${whole.cut.join(", ")}.`]
    }),
  )
})

export const aggregate: DataTool = {
  tool: {
    name: "aggregate",
    summary: "Groups rows and computes totals, averages, counts… per group and per unit of time.",
    capabilities: ["aggregate", "group_by", "summarize", "total", "compare", "time_series"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
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
        ...divisionParams,
        filters: filtersParam,
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "transform",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const { group_by, raws, time } = yield* attempt(() => dividing(table, invocation))
    const filters = many(invocation, "filters")
    const rows = [...raws, ...(filters.length === 0 ? [] : [{ op: "filter", where: filters }])]
    const measures = yield* attempt(() => measuresOf(invocation))
    const result: Json = yield* extend(
      table,
      [...rows, { op: "aggregate", group_by, time, measures }],
      {
        title: (columns) => {
          const keys = new Set([time?.column, ...group_by])
          return seriesTitle(
            columns.filter(({ name }) => !keys.has(name)),
            columns.find(({ name }) => name === time?.column),
            columns.filter(({ name }) => keys.has(name) && name !== time?.column),
          )
        },
        notes: yield* partialNotes(table, rows, time),
      },
    )
    return result
  }),
}
