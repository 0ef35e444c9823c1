/** Adds to each row the change of its numbers since the row before it, absolute and in percent. */
import type { Change } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readColumn, readColumns, readNumbers } from "../read.ts"
import { identifier, identifiers } from "../sql.ts"
import type { Column } from "../Table.ts"

const added = (op: Change, columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const taken = columns.map(({ name }) => name)
  return op.columns.flatMap((column): ReadonlyArray<Column> => {
    const label = columns.find((one) => one.name === column)?.label ?? column
    const change = freeName(`${column}_change`, taken)
    const percent = freeName(`${column}_change_percent`, [...taken, change])
    taken.push(change, percent)
    return [
      { name: change, type: "number", label: `change of ${label}` },
      { name: percent, type: "number", label: `change of ${label} in %` },
    ]
  })
}

export const change: OperationKind<Change> = {
  reduces: false,
  decode: (raw, columns) => {
    return {
      op: "change",
      columns: readNumbers(raw["columns"], columns, "metrics", "a change"),
      along: readColumn(raw["along"], columns, "along").name,
      within: readColumns(raw["within"], columns, "within").map(({ name }) => name),
    }
  },
  columns: (op, columns) => [...columns, ...added(op, columns)],
  sql: (op, columns, from) => {
    const within = identifiers(op.within)
    const along = identifier(op.along)
    const frame = `(${within === "" ? "" : `PARTITION BY ${within} `}ORDER BY ${along})`
    const names = added(op, columns)
    const values = op.columns.flatMap((column, index) => {
      const value = `CAST(${identifier(column)} AS DOUBLE)`
      const before = `lag(${value}) OVER ${frame}`
      return [
        `${value} - ${before} AS ${identifier(names[2 * index]!.name)}`,
        `100.0 * (${value} - ${before}) / nullif(abs(${before}), 0) AS ${identifier(names[2 * index + 1]!.name)}`,
      ]
    })
    const order = [...op.within.map(identifier), along]
    return `SELECT *, ${values.join(", ")} FROM ${from} ORDER BY ${order.join(", ")}`
  },
}
