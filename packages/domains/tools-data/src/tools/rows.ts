/** Gives the rows of a file or table as plain data, all of them or page by page. */
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

/** A result is recorded as a whole. */
const MAX_ROWS = 10_000

/** The page to read. Without a limit it must hold all rows: a list that ends early looks whole. */
const pageOf = ({ params }: ToolInvocation, total: number) => {
  const { limit, page } = params
  if (typeof limit !== "number" && typeof page !== "number" && total > MAX_ROWS) {
    return refused(
      `the table has ${total.toLocaleString("en")} rows, and a list has at most ${MAX_ROWS.toLocaleString("en")}: read it page by page, with limit and page`,
    )
  }
  return Effect.succeed({
    limit: typeof limit === "number" ? limit : MAX_ROWS,
    page: typeof page === "number" ? page : 1,
  })
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
    summary: "Gives the rows of a file or table as a list of objects.",
    capabilities: ["rows"],
    notes: "has(result.notes) ? result.notes : []",
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
          description: `The rows of a page; unless given all rows, at most ${MAX_ROWS}.`,
        },
        page: { type: "integer", minimum: 1, description: "The page, from 1." },
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
    const { limit, page } = yield* pageOf(invocation, table.rows)
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
