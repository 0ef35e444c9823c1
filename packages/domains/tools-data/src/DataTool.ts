/** A tool of this package: its description for planning, and its implementation. */
import * as Effect from "effect/Effect"
import type { Json, Tool, ToolInvocation } from "@planloom/plugin/effect"
import { attempt, refused, type DataFailed } from "./DataFailed.ts"
import { evaluate, withLineage } from "./duckdb/evaluate.ts"
import { decodeTable } from "./table/decodeTable.ts"
import { columnsAfter, columnsAlong, decodeOperation } from "./table/operations.ts"
import { isNumeric, toJson, type Column, type Table } from "./table/Table.ts"

export interface DataTool {
  readonly tool: Tool
  readonly run: (invocation: ToolInvocation) => Effect.Effect<Json, DataFailed>
}

/** Decodes the table in a slot. Throws `DataFailed`. */
export const tableIn = (invocation: ToolInvocation, slot = "table"): Table => {
  const value = invocation.inputs[slot]
  if (value === undefined || value === null)
    throw refused(`${invocation.tool} needs a table in the slot ${slot}`, { missing_input: slot })
  return decodeTable(value)
}

/** A parameter's text, or undefined. Expects parameters validated against the schema. */
export const optional = (invocation: ToolInvocation, name: string): string | undefined => {
  const value = invocation.params[name]
  return typeof value === "string" && value !== "" ? value : undefined
}

/** A list parameter; a single value counts as a list of one. */
export const many = (invocation: ToolInvocation, name: string): ReadonlyArray<Json> => {
  const value = invocation.params[name]
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** The names in `metrics`, else the last column of numbers; empty without one. */
export const metricsIn = (invocation: ToolInvocation, table: Table): ReadonlyArray<Json> => {
  const given = many(invocation, "metrics")
  const last = table.columns.findLast(isNumeric)
  return given.length > 0 || last === undefined ? given : [last.name]
}

/** Appends operations to a table and evaluates it. `raws` are validated in order. */
export const extend = Effect.fnUntraced(function* (
  table: Table,
  raws: ReadonlyArray<unknown>,
  about: {
    /** Computed from the resulting columns. */
    readonly title?: (columns: ReadonlyArray<Column>) => string
    readonly notes?: ReadonlyArray<string>
  } = {},
) {
  const lineage = yield* attempt(() => appended(table, raws))
  const title = about.title?.(columnsAlong(lineage).at(-1)!)
  const result = yield* withLineage(lineage, (opened) =>
    evaluate(opened, {
      ...(title === undefined ? {} : { title }),
      ...(about.notes === undefined ? {} : { notes: about.notes }),
    }),
  )
  return toJson(result)
})

/** Appends operations to a table's lineage. Throws `DataFailed`. */
export const appended = (table: Table, raws: ReadonlyArray<unknown>) => {
  let columns = table.columns
  const ops = [...table.ops]
  for (const raw of raws) {
    const op = decodeOperation(raw, columns)
    columns = columnsAfter(op, columns)
    ops.push(op)
  }
  return { source: table.source, ops }
}
