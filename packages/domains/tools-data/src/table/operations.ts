/** Registry of operation kinds: decoding, columns and SQL of operations and lineages. */
import { isJsonObject } from "@planloom/plugin/effect"
import { refused } from "../DataFailed.ts"
import type { Source } from "../file/Source.ts"
import { decodeSource } from "./decodeSource.ts"
import type { Lineage, Operation } from "./Operation.ts"
import type { OperationKind } from "./OperationKind.ts"
import { anomalies } from "./operations/anomalies.ts"
import { aggregate } from "./operations/aggregate.ts"
import { bins } from "./operations/bins.ts"
import { boxes } from "./operations/boxes.ts"
import { change } from "./operations/change.ts"
import { combine } from "./operations/combine.ts"
import { compare } from "./operations/compare.ts"
import { correlation } from "./operations/correlation.ts"
import { filter } from "./operations/filter.ts"
import { forecast } from "./operations/forecast.ts"
import { join } from "./operations/join.ts"
import { moving_average } from "./operations/moving_average.ts"
import { parse_datetime } from "./operations/parse_datetime.ts"
import { parse_number } from "./operations/parse_number.ts"
import { pivot } from "./operations/pivot.ts"
import { rate } from "./operations/rate.ts"
import { share } from "./operations/share.ts"
import { summarize } from "./operations/summarize.ts"
import { time_part } from "./operations/time_part.ts"
import { top } from "./operations/top.ts"
import { readList, type Raw } from "./read.ts"
import { sourceColumns } from "./sourceColumns.ts"
import type { Column } from "./Table.ts"

const kinds: { readonly [O in Operation as O["op"]]: OperationKind<O> } = {
  aggregate,
  anomalies,
  bins,
  boxes,
  change,
  combine,
  compare,
  correlation,
  filter,
  forecast,
  join,
  moving_average,
  parse_datetime,
  parse_number,
  pivot,
  rate,
  share,
  summarize,
  time_part,
  top,
}

const kindOf = (op: Operation): OperationKind<Operation> =>
  kinds[op.op] as unknown as OperationKind<Operation>

/** Maximum nesting of joined tables. */
const MAX_DEPTH = 8

/** Decodes an operation and validates it against the input columns. Throws `DataFailed`. */
export const decodeOperation = (
  raw: unknown,
  columns: ReadonlyArray<Column>,
  depth = 0,
): Operation => {
  const name = isJsonObject(raw) ? raw["op"] : undefined
  if (!isJsonObject(raw) || typeof name !== "string" || !Object.hasOwn(kinds, name))
    throw refused(`unknown operation ${JSON.stringify(name)}`)
  const lineage = isJsonObject(raw["beside"]) ? decodeLineage(raw["beside"], depth + 1) : undefined
  const beside =
    lineage === undefined ? undefined : { lineage, columns: columnsAlong(lineage).at(-1)! }
  return kinds[name as Operation["op"]].decode(raw, columns, beside)
}

/** Decodes a source and its operations. Throws `DataFailed`. */
export const decodeLineage = (raw: Raw, depth = 0): Lineage => {
  if (depth > MAX_DEPTH) throw refused("too many tables are joined inside each other")
  const source = decodeSource(raw["source"])
  let columns = sourceColumns(source)
  const ops: Array<Operation> = []
  for (const each of readList(raw["ops"], "ops")) {
    const op = decodeOperation(each, columns, depth)
    columns = columnsAfter(op, columns)
    ops.push(op)
  }
  return { source, ops }
}

/** The second table of a binary operation. */
export const besideOf = (op: Operation): Lineage | undefined =>
  op.op === "join" ? op.beside : undefined

const columnsBeside = (op: Operation): ReadonlyArray<Column> => {
  const beside = besideOf(op)
  return beside === undefined ? [] : columnsAlong(beside).at(-1)!
}

export const columnsAfter = (
  op: Operation,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<Column> => kindOf(op).columns(op, columns, columnsBeside(op))

/** Columns before each operation and after the last: one more entry than operations. */
export const columnsAlong = (lineage: Lineage): ReadonlyArray<ReadonlyArray<Column>> => {
  const along = [sourceColumns(lineage.source)]
  for (const op of lineage.ops) along.push(columnsAfter(op, along.at(-1)!))
  return along
}

/** All files a lineage reads, its own source first. */
export const sourcesOf = (lineage: Lineage): ReadonlyArray<Source> => [
  lineage.source,
  ...lineage.ops.flatMap((op) => {
    const beside = besideOf(op)
    return beside === undefined ? [] : sourcesOf(beside)
  }),
]

/** `beside` is the statement of the second table, if any. */
export const operationSql = (
  op: Operation,
  columns: ReadonlyArray<Column>,
  from: string,
  beside: string | undefined,
): string =>
  kindOf(op).sql(op, columns, from, { columns: columnsBeside(op), from: `(${beside ?? ""})` })

export const reduces = (op: Operation): boolean => kindOf(op).reduces
