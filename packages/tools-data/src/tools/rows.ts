/** Gives rows of a file or table as plain data, page by page. */
import * as Effect from "effect/Effect"
import type { Json, ToolInvocation } from "@planloom/plugin/effect"
import { attempt, refused } from "../DataFailed.ts"
import { many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { dataFile } from "../file/DataFile.ts"
import { openFile } from "../profile/openFile.ts"
import { columnsAlong } from "../table/operations.ts"
import { readColumns } from "../table/read.ts"
import { identifiers } from "../table/sql.ts"
import { fileParams } from "./params.ts"

const DEFAULT_ROWS = 100
/** A result is recorded as a whole. */
const MAX_ROWS = 10_000

const whole = (invocation: ToolInvocation, name: string, otherwise: number): number => {
  const value = invocation.params[name]
  return typeof value === "number" ? value : otherwise
}

const tableOf = Effect.fnUntraced(function* (invocation: ToolInvocation) {
  const path = optional(invocation, "path")
  if (path === undefined) return yield* attempt(() => tableIn(invocation))
  if (invocation.inputs["table"] !== undefined)
    return yield* refused("rows takes a path or a table, not both")
  const file = yield* dataFile(path)
  const { table } = yield* openFile(file, {
    encoding: optional(invocation, "encoding"),
    sheet: optional(invocation, "sheet"),
  })
  return table
})

export const rows: DataTool = {
  tool: {
    name: "rows",
    summary: "Gives the rows of a file or table as a list of objects, page by page.",
    capabilities: ["rows"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        ...fileParams,
        columns: {
          type: "array",
          items: { type: "string" },
          description: "The columns to give; all of them unless given.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_ROWS,
          default: DEFAULT_ROWS,
          description: "The rows of a page.",
        },
        page: { type: "integer", minimum: 1, default: 1, description: "The page, from 1." },
      },
      additionalProperties: false,
    },
    result: {
      type: "object",
      required: ["type", "rows", "page", "pages", "total"],
      properties: {
        type: { const: "rows" },
        rows: { type: "array", items: { type: "object" } },
        page: { type: "integer" },
        pages: { type: "integer" },
        total: { type: "integer" },
        notes: { type: "array", items: { type: "string" } },
      },
    },
    outputs: ["rows"],
    group: "source",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* tableOf(invocation)
    const limit = whole(invocation, "limit", DEFAULT_ROWS)
    const page = whole(invocation, "page", 1)
    const wanted = many(invocation, "columns")
    const found = yield* withLineage(table, (opened) => {
      const all = columnsAlong(opened.lineage).at(-1)!
      return Effect.flatMap(
        attempt(() => (wanted.length === 0 ? all : readColumns(wanted, all, "columns"))),
        (columns) =>
          readRowsSql(
            opened,
            (from) =>
              `SELECT ${identifiers(columns.map(({ name }) => name))} FROM ${from} LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
          ),
      )
    })
    return {
      type: "rows",
      rows: found.rows,
      page,
      pages: Math.max(1, Math.ceil(table.rows / limit)),
      total: table.rows,
      ...(table.notes === undefined ? {} : { notes: table.notes }),
    } satisfies { readonly [key: string]: Json }
  }),
}
