/** Converts a text column to dates. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { attempt, refused } from "../DataFailed.ts"
import { extend, many, optional, tableIn, type DataTool } from "../DataTool.ts"
import { readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { datesIn } from "../profile/refine.ts"
import { timestampFrom } from "../table/operations/parse_datetime.ts"
import { identifier } from "../table/sql.ts"
import { toJson, type Column, type Table } from "../table/Table.ts"

const chosen = (table: Table, name: string | undefined): Column => {
  const found =
    name === undefined
      ? (table.columns.find(({ type }) => type === "date") ??
        table.columns.find((column) => /date|time|day|month|year/i.test(column.name)))
      : table.columns.find((column) => column.name === name)
  if (found !== undefined) return found
  throw refused(
    `${name === undefined ? "the table has no column of dates" : `the table has no column ${JSON.stringify(name)}`}; it has: ${table.columns.map((column) => column.name).join(", ")}`,
    { columns: table.columns.map((column) => column.name) },
  )
}

/** Formats given by the caller, or detected from the values. */
const parse = (table: Table, column: Column, given: ReadonlyArray<Json>) =>
  withLineage(table, (opened) =>
    Effect.gen(function* () {
      const formats = given.map(String)
      const found =
        formats.length > 0
          ? { formats, notes: [] as ReadonlyArray<string> }
          : yield* datesIn(opened, column.name)
      if (found === undefined)
        return yield* refused(
          `the values of ${JSON.stringify(column.name)} are not dates in a known form: name the format, for example %d.%m.%Y`,
          { column: column.name },
        )
      const { rows } = yield* readRowsSql(
        opened,
        (from) =>
          `SELECT bool_or(CAST(t AS DATE) <> t) AS times, count(t) AS read, count(*) FILTER (trim(${identifier(column.name)}) <> '') AS filled FROM (SELECT ${identifier(column.name)}, ${timestampFrom(column.name, found.formats)} AS t FROM ${from})`,
      )
      const row = rows[0]!
      const lost = Number(row["filled"]) - Number(row["read"])
      if (Number(row["read"]) === 0 && Number(row["filled"]) > 0)
        return yield* refused(
          `no value of ${JSON.stringify(column.name)} fits ${formats.length > 0 ? formats.join(" or ") : "a known form of date"}`,
          { column: column.name },
        )
      return {
        op: {
          op: "parse_datetime",
          column: column.name,
          formats: found.formats,
          to: row["times"] === true ? "timestamp" : "date",
        },
        notes: [
          ...found.notes,
          ...(lost > 0
            ? [`${column.name}: ${lost} values are no dates and count as missing.`]
            : []),
        ],
      }
    }),
  )

export const parse_datetime: DataTool = {
  tool: {
    name: "parse_datetime",
    summary: "Turns a text column into dates, recognising common forms or by a given format.",
    capabilities: ["parse_datetime", "datetime"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        column: {
          type: "string",
          role: "column",
          description: "The column to read as dates. A column of dates is left unchanged.",
        },
        formats: {
          type: "array",
          items: { type: "string" },
          description:
            "strptime formats to try in order, such as %d.%m.%Y; found by itself unless given.",
        },
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "transform",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const column = yield* attempt(() => chosen(table, optional(invocation, "column")))
    if (column.type === "date") return toJson(table)
    if (column.type === "integer")
      return yield* extend(table, [
        { op: "parse_datetime", column: column.name, formats: [], to: "date" },
      ])
    if (column.type !== "string")
      return yield* refused(`${JSON.stringify(column.name)} holds ${column.type}s, not dates`)
    const { op, notes } = yield* parse(table, column, many(invocation, "formats"))
    return yield* extend(table, [op], { notes })
  }),
}
