/** Computes what share of the rows meets conditions. */
import * as Effect from "effect/Effect"
import { attempt } from "../DataFailed.ts"
import { appended, extend, many, tableIn, type DataTool } from "../DataTool.ts"
import { readRowsSql, withLineage } from "../duckdb/evaluate.ts"
import { columnsAlong } from "../table/operations.ts"
import { decodeWhere } from "../table/operations/filter.ts"
import { knownSql } from "../table/operations/rate.ts"
import type { Table } from "../table/Table.ts"
import { titleOf } from "../table/wording.ts"
import { dividing, divisionParams } from "./divideRows.ts"
import { filtersParam } from "./params.ts"

/** Counts the rows that have no value to test. */
const unknownNotes = Effect.fnUntraced(function* (
  table: Table,
  raws: ReadonlyArray<unknown>,
  where: ReadonlyArray<unknown>,
) {
  const none: ReadonlyArray<string> = []
  // The operation refuses a call without a condition.
  if (where.length === 0) return none
  const lineage = yield* attempt(() => appended(table, raws))
  const columns = columnsAlong(lineage).at(-1)!
  const known = yield* attempt(() => knownSql({ where: decodeWhere(where, columns) }, columns))
  const { rows } = yield* withLineage(lineage, (opened) =>
    readRowsSql(opened, (from) => `SELECT count(*) FILTER (NOT (${known})) AS n FROM ${from}`),
  )
  const count = Number(rows[0]!["n"])
  if (count === 0) return none
  return [
    count === 1
      ? "1 row has no value to test and is left out of the share."
      : `${count} rows have no value to test and are left out of the share.`,
  ]
})

export const rate: DataTool = {
  tool: {
    name: "rate",
    summary:
      "Computes what share of the rows, or of a number, meets conditions, in percent, in all or per group.",
    capabilities: ["rate", "per_group"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        of: {
          ...filtersParam,
          minItems: 1,
          role: "part",
          description: `What the rows must meet to count. ${filtersParam.description}`,
        },
        metrics: {
          type: "array",
          items: { type: "string" },
          maxItems: 1,
          role: "metrics",
          description: "The number whose share is computed; the rows are counted unless given.",
        },
        ...divisionParams,
      },
      required: ["of"],
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation) {
    const table = yield* attempt(() => tableIn(invocation))
    const { group_by, raws, time } = yield* attempt(() => dividing(table, invocation))
    const where = many(invocation, "of")
    const [weight = null] = many(invocation, "metrics")
    const notes = yield* unknownNotes(table, raws, where)
    return yield* extend(table, [...raws, { op: "rate", where, weight, group_by, time }], {
      ...(notes.length === 0 ? {} : { notes }),
      title: (columns) => titleOf(columns.at(-3)!),
    })
  }),
}
