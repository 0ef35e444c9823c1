/** Counts the values in equal intervals. Each includes its lower end; only the last includes its upper end. */
import { refused } from "../../DataFailed.ts"
import type { Bins } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import { freeName, readColumn, readColumns, readWhole, requireNumber } from "../read.ts"
import { identifier, number } from "../sql.ts"
import type { Column } from "../Table.ts"

export const MAX_BINS = 200

const finite = (value: unknown, what: string): number => {
  if (typeof value !== "number" || !Number.isFinite(value))
    throw refused(`${what} must be a number`)
  return value
}

const added = (op: Bins): ReadonlyArray<Column> => {
  const taken = [...op.group_by]
  const name = (wanted: string): string => {
    const free = freeName(wanted, taken)
    taken.push(free)
    return free
  }
  return [
    { name: name("from"), type: "number", label: `${op.column} from` },
    { name: name("to"), type: "number", label: "up to" },
    { name: name("count"), type: "integer", label: "number of rows" },
    { name: name("percent"), type: "number", label: "share in %" },
  ]
}

/** Rounds bin ends to short decimals: 0.30000000000000004 becomes 0.3. */
export const binEnd = (op: Pick<Bins, "start" | "width">, index: number): number =>
  Number((op.start + index * op.width).toPrecision(12))

export const bins: OperationKind<Bins> = {
  reduces: true,
  decode: (raw, columns) => {
    const column = readColumn(raw["column"], columns, "column")
    requireNumber(column, "bins need numbers")
    const width = finite(raw["width"], "width")
    if (width <= 0) throw refused("width must be above zero")
    return {
      op: "bins",
      column: column.name,
      group_by: readColumns(raw["group_by"], columns, "group_by").map(({ name }) => name),
      start: finite(raw["start"], "start"),
      width,
      count: readWhole(raw["count"], "count", 1, MAX_BINS),
    }
  },
  columns: (op, columns) => [
    ...op.group_by.map((name) => columns.find((column) => column.name === name)!),
    ...added(op),
  ],
  sql: (op, _, from) => {
    const [low, high, count, percent] = added(op).map(({ name }) => identifier(name))
    const groups = op.group_by.map((_name, index) => `g${index}`)
    const keys = op.group_by.map((name, index) => `${identifier(name)} AS g${index}, `).join("")
    const back = op.group_by.map((name, index) => `n.g${index} AS ${identifier(name)}, `).join("")
    const value = `CAST(${identifier(op.column)} AS DOUBLE)`
    const last = op.count - 1
    const ends = Array.from({ length: op.count + 1 }, (_end, index) => number(binEnd(op, index)))
    const same = groups.map((group) => `n.${group} IS NOT DISTINCT FROM c.${group} AND `).join("")
    const of =
      groups.length === 0 ? "" : `PARTITION BY ${groups.map((one) => `n.${one}`).join(", ")}`
    const listed = groups.map((group) => `${group}, `).join("")
    const relations = [
      `e AS (SELECT [${ends.map((end) => `${end}::DOUBLE`).join(", ")}] AS e)`,
      `v AS (SELECT ${keys}${value} AS v FROM ${from} WHERE isfinite(${value}) AND ${value} BETWEEN ${ends[0]} AND ${ends.at(-1)})`,
      `p AS (SELECT *, least(${last}, greatest(0, CAST(floor((v - ${number(op.start)}) / ${number(op.width)}) AS BIGINT))) AS j FROM v, e)`,
      // Compares with the rounded ends, so that each value is in the displayed interval.
      `c AS (SELECT ${listed}least(${last}, j - CAST(v < e[j + 1] AS BIGINT) + CAST(v >= e[j + 2] AS BIGINT)) AS i, count(*) AS k FROM p GROUP BY ALL)`,
      `n AS (SELECT * FROM (SELECT DISTINCT ${groups.length === 0 ? "1 AS one" : groups.join(", ")} FROM v) CROSS JOIN (SELECT unnest(range(${op.count})) AS i) CROSS JOIN e)`,
    ]
    return `SELECT * FROM (WITH ${relations.join(", ")} SELECT ${back}n.e[n.i + 1] AS ${low}, n.e[n.i + 2] AS ${high}, coalesce(c.k, 0) AS ${count}, 100.0 * coalesce(c.k, 0) / sum(coalesce(c.k, 0)) OVER (${of}) AS ${percent} FROM n LEFT JOIN c ON ${same}n.i = c.i ORDER BY ${[...groups.map((one) => `n.${one}`), "n.i"].join(", ")})`
  },
}
