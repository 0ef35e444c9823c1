/** Divides one measure by another, or subtracts it, per group. */
import { refused } from "../../DataFailed.ts"
import type { Combine } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readChoice, readColumns, readText } from "../read.ts"
import { identifier } from "../sql.ts"
import type { Column } from "../Table.ts"
import {
  decodeMeasures,
  decodeTime,
  groupedSql,
  keyColumns,
  measureColumn,
  measureSql,
} from "./aggregate.ts"

const labelOf = ({ how, measures }: Combine, columns: ReadonlyArray<Column>): string => {
  const [one, other] = measures.map((measure) => measureColumn(measure, columns).label)
  return how === "ratio" ? `${one} per ${other}` : `${one} minus ${other}`
}

export const combine: OperationKind<Combine> = {
  reduces: true,
  decode: (raw, columns) => {
    const [one, other, ...more] = decodeMeasures(raw["measures"], columns)
    if (one === undefined || other === undefined || more.length > 0)
      throw refused("two numbers are needed: the first and the one beside it")
    const time = decodeTime(raw["time"], columns)
    const group_by = readColumns(raw["group_by"], columns, "group_by").map(({ name }) => name)
    return {
      op: "combine",
      measures: [one, other],
      how: readChoice(raw["how"], ["ratio", "difference"], "how"),
      as: freeName(readText(raw["as"], "as"), group_by),
      time,
      group_by: group_by.filter((name) => name !== time?.column),
    }
  },
  columns: (op, columns) => [
    ...keyColumns(op, columns),
    { name: op.as, type: "number", label: labelOf(op, columns) },
  ],
  sql: (op, columns, from) => {
    const [one, other] = op.measures.map(
      (measure) => `CAST(${measureSql(measure, columns)} AS DOUBLE)`,
    )
    const value = op.how === "ratio" ? `${one} / nullif(${other}, 0)` : `${one} - ${other}`
    return groupedSql(op, [`${value} AS ${identifier(op.as)}`], from)
  },
}
