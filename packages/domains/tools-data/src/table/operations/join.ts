/** Joins rows of two tables on equal keys. A missing key has no match. */
import { isJsonObject } from "@planloom/plugin/effect"
import { refused } from "../../DataFailed.ts"
import { joinKinds, type Join } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readChoice, readColumn, readList } from "../read.ts"
import { identifier } from "../sql.ts"
import { isNumeric, type Column } from "../Table.ts"

const family = (column: Column): string => (isNumeric(column) ? "number" : column.type)

/** Non-key columns of the other table, renamed to be unique. */
const brought = (op: Join, columns: ReadonlyArray<Column>, beside: ReadonlyArray<Column>) => {
  if (op.how === "anti") return []
  const keys = new Set(op.on.map(({ right }) => right))
  const taken = columns.map(({ name }) => name)
  return beside
    .filter(({ name }) => !keys.has(name))
    .map((column) => {
      const name = freeName(column.name, taken)
      taken.push(name)
      return { column, name }
    })
}

export const join: OperationKind<Join> = {
  reduces: false,
  decode: (raw, columns, beside) => {
    if (beside === undefined) throw refused("a join needs a second table")
    const on = readList(raw["on"], "on").map((pair) => {
      if (!isJsonObject(pair)) throw refused("on must be a list of {left, right}")
      const left = readColumn(pair["left"], columns, "on, left")
      const right = readColumn(pair["right"], beside.columns, "on, right")
      if (family(left) !== family(right))
        throw refused(
          `${JSON.stringify(left.name)} holds ${left.type}s and ${JSON.stringify(right.name)} ${right.type}s: they are never equal`,
          { left: left.name, right: right.name },
        )
      return { left: left.name, right: right.name }
    })
    if (on.length === 0) throw refused("a join needs at least one pair of columns")
    return {
      op: "join",
      beside: beside.lineage,
      on,
      how: readChoice(raw["how"], joinKinds, "how"),
    }
  },
  columns: (op, columns, beside) => [
    ...columns,
    ...brought(op, columns, beside).map(({ column, name }) => ({ ...column, name })),
  ],
  sql: (op, columns, from, { columns: others, from: other }) => {
    const test = op.on
      .map(({ left, right }) => `l.${identifier(left)} = r.${identifier(right)}`)
      .join(" AND ")
    if (op.how === "anti") return `SELECT l.* FROM ${from} AS l ANTI JOIN ${other} AS r ON ${test}`
    // Rows of only the other table get their keys, too.
    const keys = new Map(op.on.map(({ left, right }) => [left, right]))
    const own = columns.map(({ name }) => {
      const right = keys.get(name)
      const at = identifier(name)
      return right === undefined || op.how !== "full"
        ? `l.${at} AS ${at}`
        : `coalesce(l.${at}, r.${identifier(right)}) AS ${at}`
    })
    const more = brought(op, columns, others).map(
      ({ column, name }) => `r.${identifier(column.name)} AS ${identifier(name)}`,
    )
    return `SELECT ${[...own, ...more].join(", ")} FROM ${from} AS l ${op.how.toUpperCase()} JOIN ${other} AS r ON ${test}`
  },
}
