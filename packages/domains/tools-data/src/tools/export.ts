/** Writes a table to a file in the run's folder. */
import { mkdir, realpath, rm, stat } from "node:fs/promises"
import * as path from "node:path"
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { attempt, failed, refused, type DataFailed } from "../DataFailed.ts"
import { optional, tableIn, type DataTool } from "../DataTool.ts"
import { statement, withLineage } from "../duckdb/evaluate.ts"
import { query } from "../duckdb/query.ts"
import { Roots } from "../file/Roots.ts"
import { decodeTable } from "../table/decodeTable.ts"
import { columnsAlong } from "../table/operations.ts"
import type { Table } from "../table/Table.ts"
import { identifier, text } from "../table/sql.ts"

/** DuckDB options per format. No temporary file, because that would be another path to allow. */
const formats = {
  csv: "FORMAT csv, HEADER true",
  parquet: "FORMAT parquet",
  json: "FORMAT json, ARRAY true",
  ndjson: "FORMAT json, ARRAY false",
} as const

/** Beginnings of texts that spreadsheets evaluate: https://owasp.org/www-community/attacks/CSV_Injection. */
const FORMULA = "^[=+\\-@\\t\\r\\n＝＋－＠]"
/** Texts such as -5 and +1,5 % are no formulas. */
const NUMBER = "^[+-]?[0-9]+([.,][0-9]+)*([eE][+-]?[0-9]+)?\\s?%?$"

/** A CSV file has no types, so a text that is a formula gets an apostrophe in front; other values keep theirs. */
const withoutFormulas = (sql: string, columns: ReadonlyArray<string>): string => {
  const cells = columns.map((name) => {
    const column = identifier(name)
    const label = new RegExp(FORMULA).test(name) ? identifier(`'${name}`) : column
    const cell = `CAST(${column} AS VARCHAR)`
    const isFormula = `typeof(${column}) = 'VARCHAR' AND regexp_matches(${cell}, ${text(FORMULA)}) AND NOT regexp_matches(${cell}, ${text(NUMBER)})`
    return `CASE WHEN ${isFormula} THEN concat('''', ${cell}) ELSE ${cell} END AS ${label}`
  })
  return `SELECT ${cells.join(", ")} FROM (${sql})`
}

const folderOf = (workspace: string) =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(workspace, { recursive: true })
      return await realpath(workspace)
    },
    catch: (error) => failed(`the run's folder cannot be written: ${(error as Error).message}`),
  })

/** The files that a table can be written to, by their endings. */
export type TableFormat = keyof typeof formats

/** Writes all rows of a table to a file that must lie in an existing folder. The file is removed on failure. */
const writeTable = (table: Table, target: string, format: TableFormat) =>
  withLineage(
    table,
    (opened) =>
      Effect.flatMap(
        attempt(() => {
          const sql = statement(opened)
          const columns = columnsAlong(opened.lineage)
            .at(-1)!
            .map((column) => column.name)
          return format === "csv" ? withoutFormulas(sql, columns) : sql
        }),
        (sql) =>
          query(
            opened.session,
            `COPY (${sql}) TO ${text(target)} (${formats[format]}, USE_TMP_FILE false)`,
          ),
      ),
    [target],
  ).pipe(Effect.onError(() => Effect.promise(() => rm(target, { force: true }))))

/** Writes all rows of a table handle to `<folder>/<name>.<format>` and returns the path, for hosts. */
export const exportTable = Effect.fnUntraced(function* (
  value: Json,
  to: { readonly folder: string; readonly name: string; readonly format: TableFormat },
  /** Files and folders that may be read. */
  roots: Roots,
) {
  const table = yield* attempt(() => decodeTable(value))
  const target = path.join(yield* folderOf(to.folder), `${to.name}.${to.format}`)
  yield* writeTable(table, target, to.format).pipe(Effect.provideService(Roots, roots))
  return target
})

export const exportTool: DataTool = {
  tool: {
    name: "export",
    summary: "Writes a table to a CSV, Parquet, JSON or NDJSON file in the run's folder.",
    capabilities: ["export", "save", "file"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        format: { type: "string", enum: Object.keys(formats), default: "csv" },
        name: {
          type: "string",
          pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$",
          default: "table",
          description: "The file's name without its ending.",
        },
      },
      additionalProperties: false,
    },
    outputs: ["file"],
    group: "output",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const format = (optional(invocation, "format") ?? "csv") as TableFormat
    const name = optional(invocation, "name") ?? "table"
    if (!Object.hasOwn(formats, format)) return yield* refused(`unknown format ${format}`)
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name))
      return yield* refused("a file's name may hold letters, digits, _ and - only")
    const folder = yield* folderOf(invocation.workspace)
    const target = path.join(folder, `${name}.${format}`)
    yield* writeTable(table, target, format)
    const { size } = yield* Effect.promise(() => stat(target))
    return { type: "file", path: target, format, rows: table.rows, bytes: size }
  }),
}
