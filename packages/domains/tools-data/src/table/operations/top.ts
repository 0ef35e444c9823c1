/** The rows with the largest or smallest values, of the whole table or of each group. */
import type { Top } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { readColumn, readColumns, readWhole } from "../read.ts"
import { identifier, identifiers } from "../sql.ts"

export const MAX_ROWS = 100_000

export const top: OperationKind<Top> = {
  reduces: true,
  decode: (raw, columns) => ({
    op: "top",
    by: readColumn(raw["by"], columns, "by").name,
    descending: raw["descending"] !== false,
    limit: readWhole(raw["limit"], "limit", 1, MAX_ROWS),
    within: readColumns(raw["within"], columns, "within").map(({ name }) => name),
  }),
  columns: (_, columns) => columns,
  sql: (op, columns, from) => {
    const direction = op.descending ? "DESC" : "ASC"
    // Ties are broken by the other columns, so that the result is deterministic.
    const rest = columns.filter(({ name }) => name !== op.by).map(({ name }) => identifier(name))
    const order = [`${identifier(op.by)} ${direction} NULLS LAST`, ...rest].join(", ")
    if (op.within.length === 0) return `SELECT * FROM ${from} ORDER BY ${order} LIMIT ${op.limit}`
    const within = identifiers(op.within)
    return `SELECT * FROM ${from} QUALIFY row_number() OVER (PARTITION BY ${within} ORDER BY ${order}) <= ${op.limit} ORDER BY ${within}, ${order}`
  },
}
