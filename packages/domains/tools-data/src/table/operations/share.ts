/** Adds each row's share in percent of the whole table or of its group. */
import type { Share } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readColumns, readNumbers } from "../read.ts"
import { identifier, identifiers } from "../sql.ts"
import type { Column } from "../Table.ts"

const added = (op: Share, columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const taken = columns.map(({ name }) => name)
  return op.columns.map((column) => {
    const name = freeName(`${column}_share`, taken)
    taken.push(name)
    const label = columns.find((one) => one.name === column)?.label ?? column
    return { name, type: "number", label: `share of ${label} in %` }
  })
}

export const share: OperationKind<Share> = {
  reduces: false,
  decode: (raw, columns) => {
    return {
      op: "share",
      columns: readNumbers(raw["columns"], columns, "metrics", "a share"),
      within: readColumns(raw["within"], columns, "within").map(({ name }) => name),
    }
  },
  columns: (op, columns) => [...columns, ...added(op, columns)],
  sql: (op, columns, from) => {
    const within = identifiers(op.within)
    const whole = within === "" ? "" : `PARTITION BY ${within}`
    const shares = added(op, columns).map(({ name }, index) => {
      const value = `CAST(${identifier(op.columns[index]!)} AS DOUBLE)`
      // Parts of opposite signs have no meaningful shares.
      const sound = `min(${value}) OVER (${whole}) >= 0`
      const part = `100.0 * ${value} / nullif(sum(${value}) OVER (${whole}), 0)`
      return `CASE WHEN ${sound} THEN ${part} END AS ${identifier(name)}`
    })
    const [first] = added(op, columns)
    const rest = columns.map(({ name }) => identifier(name))
    const order = [
      ...op.within.map(identifier),
      `${identifier(first!.name)} DESC NULLS LAST`,
      ...rest,
    ]
    return `SELECT *, ${shares.join(", ")} FROM ${from} ORDER BY ${order.join(", ")}`
  },
}
