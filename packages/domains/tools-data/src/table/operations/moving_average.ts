/**
 * Mean of the last points of a series. Points without a value count for the window, not for the
 * mean; the first `window - 1` points have no mean.
 */
import type { MovingAverage } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readColumn, readColumns, readNumbers, readWhole } from "../read.ts"
import { identifier, identifiers } from "../sql.ts"
import type { Column } from "../Table.ts"

export const MAX_POINTS = 10_000

/** Added columns, one per smoothed column. */
export const averageColumns = (
  op: Pick<MovingAverage, "columns" | "time" | "window">,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<Column> => {
  const taken = columns.map(({ name }) => name)
  const grain = columns.find(({ name }) => name === op.time)?.grain
  return op.columns.map((column) => {
    const name = freeName(`${column}_moving_average`, taken)
    taken.push(name)
    const label = columns.find((one) => one.name === column)?.label ?? column
    return { name, type: "number", label: `${label}, average of ${op.window} ${grain ?? "point"}s` }
  })
}

export const moving_average: OperationKind<MovingAverage> = {
  reduces: false,
  decode: (raw, columns) => {
    return {
      op: "moving_average",
      columns: readNumbers(raw["columns"], columns, "column", "a moving average"),
      time: readColumn(raw["time"], columns, "time_column").name,
      group_by: readColumns(raw["group_by"], columns, "group_by").map(({ name }) => name),
      window: readWhole(raw["window"], "window", 2, MAX_POINTS),
    }
  },
  columns: (op, columns) => [...columns, ...averageColumns(op, columns)],
  sql: (op, columns, from) => {
    const groups = identifiers(op.group_by)
    const order = identifier(op.time)
    const frame = `${groups === "" ? "" : `PARTITION BY ${groups} `}ORDER BY ${order} ROWS BETWEEN ${op.window - 1} PRECEDING AND CURRENT ROW`
    const added = averageColumns(op, columns).map(
      ({ name }, index) =>
        `CASE WHEN count(*) OVER (${frame}) = ${op.window} THEN avg(CAST(${identifier(op.columns[index]!)} AS DOUBLE)) OVER (${frame}) END AS ${identifier(name)}`,
    )
    return `SELECT *, ${added.join(", ")} FROM ${from} WHERE ${order} IS NOT NULL ORDER BY ${[order, ...op.group_by.map(identifier)].join(", ")}`
  },
}
