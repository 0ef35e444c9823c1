/** Compares measures of two periods, with the difference and the change in percent. */
import { refused } from "../../DataFailed.ts"
import type { Compare, Measure } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readColumn, readColumns, readList, readText } from "../read.ts"
import { identifier, text } from "../sql.ts"
import type { Column } from "../Table.ts"
import { decodeMeasures, measureColumn, measureSql } from "./aggregate.ts"

const span = (value: unknown, what: string): readonly [string, string] => {
  const [from, to] = readList(value, what).map((at) => readText(at, what))
  if (from === undefined || to === undefined) throw refused(`${what} needs a start and an end`)
  return [from, to]
}

/** Names of one measure's four columns. */
const namesFor = (op: Compare): ReadonlyArray<readonly [string, string, string, string]> => {
  const taken = [...op.group_by]
  return op.measures.map(({ as }) => {
    const names = [as, `${as}_previous`, `${as}_change`, `${as}_change_percent`].map((wanted) => {
      const name = freeName(wanted, taken)
      taken.push(name)
      return name
    })
    return names as unknown as readonly [string, string, string, string]
  })
}

const within = (column: string, [from, to]: readonly [string, string]): string =>
  `${identifier(column)} >= TIMESTAMP ${text(from)} AND ${identifier(column)} < TIMESTAMP ${text(to)}`

const columnsOf = (op: Compare, columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const names = namesFor(op)
  const labelled = (measure: Measure, index: number): ReadonlyArray<Column> => {
    const own = measureColumn(measure, columns)
    const [now, before, change, percent] = names[index]!
    return [
      { ...own, name: now },
      { ...own, name: before, label: `${own.label} before` },
      { ...own, name: change, label: `change of ${own.label}` },
      { name: percent, type: "number", label: `change of ${own.label} in %` },
    ]
  }
  return [
    ...op.group_by.map((name) => columns.find((column) => column.name === name)!),
    ...op.measures.flatMap(labelled),
  ]
}

export const compare: OperationKind<Compare> = {
  reduces: true,
  decode: (raw, columns) => {
    const time = readColumn(raw["time"], columns, "time_column")
    if (time.type !== "date") throw refused(`${JSON.stringify(time.name)} holds no dates`)
    const measures = decodeMeasures(raw["measures"], columns)
    if (measures.length === 0) throw refused("a comparison needs at least one metric")
    return {
      op: "compare",
      time: time.name,
      current: span(raw["current"], "current"),
      previous: span(raw["previous"], "previous"),
      group_by: readColumns(raw["group_by"], columns, "group_by").map(({ name }) => name),
      measures,
    }
  },
  columns: columnsOf,
  sql: (op, columns, from) => {
    const names = namesFor(op)
    const keys = op.group_by.map(identifier)
    const sides = op.measures.flatMap((measure, index) => {
      const value = measureSql(measure, columns)
      return [
        `${value} FILTER (WHERE ${within(op.time, op.current)}) AS "now ${index}"`,
        `${value} FILTER (WHERE ${within(op.time, op.previous)}) AS "then ${index}"`,
      ]
    })
    const shown = names.flatMap(([now, before, change, percent], index) => {
      const [a, b] = [`"now ${index}"`, `"then ${index}"`]
      return [
        `${a} AS ${identifier(now)}`,
        `${b} AS ${identifier(before)}`,
        `${a} - ${b} AS ${identifier(change)}`,
        `100.0 * (${a} - ${b}) / nullif(abs(${b}), 0) AS ${identifier(percent)}`,
      ]
    })
    const groups = keys.map((key, index) => `${key} AS "group ${index}"`)
    const back = keys.map((key, index) => `"group ${index}" AS ${key}`)
    const both = `(${within(op.time, op.current)}) OR (${within(op.time, op.previous)})`
    const places = keys.map((_, index) => index + 1).join(", ")
    const grouped = keys.length === 0 ? "" : ` GROUP BY ${places} ORDER BY ${places}`
    return `SELECT ${[...back, ...shown].join(", ")} FROM (SELECT ${[...groups, ...sides].join(", ")} FROM ${from} WHERE ${both}${grouped})`
  },
}
