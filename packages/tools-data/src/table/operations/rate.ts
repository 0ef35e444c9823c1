/** Share in percent of the rows that meet all conditions, per group. */
import { refused } from "../../DataFailed.ts"
import type { Rate } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readColumns } from "../read.ts"
import { identifier } from "../sql.ts"
import type { Column } from "../Table.ts"
import { decodeTime, groupedSql, keyColumns } from "./aggregate.ts"
import { decodeWhere, testsOf } from "./filter.ts"

const added = (keys: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const taken = keys.map(({ name }) => name)
  return [
    { name: freeName("rate", taken), type: "number", label: "share of rows in %" },
    { name: freeName("matching", taken), type: "integer", label: "matching rows" },
    { name: freeName("rows", taken), type: "integer", label: "number of rows" },
  ]
}

export const rate: OperationKind<Rate> = {
  reduces: true,
  decode: (raw, columns) => {
    const where = decodeWhere(raw["where"], columns)
    if (where.length === 0) throw refused("a rate needs the condition of the rows it is about")
    const time = decodeTime(raw["time"], columns)
    return {
      op: "rate",
      where,
      time,
      group_by: readColumns(raw["group_by"], columns, "group_by")
        .map(({ name }) => name)
        .filter((name) => name !== time?.column),
    }
  },
  columns: (op, columns) => {
    const keys = keyColumns(op, columns)
    return [...keys, ...added(keys)]
  },
  sql: (op, columns, from) => {
    const [share, matching, rows] = added(keyColumns(op, columns)).map(({ name }) =>
      identifier(name),
    )
    const matches = `count(*) FILTER (WHERE ${testsOf(op.where, columns).join(" AND ")})`
    return groupedSql(
      op,
      [
        `100.0 * ${matches} / nullif(count(*), 0) AS ${share}`,
        `${matches} AS ${matching}`,
        `count(*) AS ${rows}`,
      ],
      from,
    )
  },
}
