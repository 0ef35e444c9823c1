/** Every kind of operation by name: decoding, columns and SQL of any operation. */
import { refused } from "../DataFailed.ts"
import type { Operation } from "./Operation.ts"
import type { OperationKind } from "./OperationKind.ts"
import { anomalies } from "./operations/anomalies.ts"
import { aggregate } from "./operations/aggregate.ts"
import { compare } from "./operations/compare.ts"
import { filter } from "./operations/filter.ts"
import { parse_datetime } from "./operations/parse_datetime.ts"
import { parse_number } from "./operations/parse_number.ts"
import { summarize } from "./operations/summarize.ts"
import { top } from "./operations/top.ts"
import { isRaw } from "./read.ts"
import type { Column } from "./Table.ts"

const kinds: { readonly [O in Operation as O["op"]]: OperationKind<O> } = {
  aggregate,
  anomalies,
  compare,
  filter,
  parse_datetime,
  parse_number,
  summarize,
  top,
}

const kindOf = (op: Operation): OperationKind<Operation> =>
  kinds[op.op] as unknown as OperationKind<Operation>

/** Any operation out of plain data, checked against the columns it will meet. Throws `DataFailed`. */
export const decodeOperation = (raw: unknown, columns: ReadonlyArray<Column>): Operation => {
  const name = isRaw(raw) ? raw["op"] : undefined
  if (!isRaw(raw) || typeof name !== "string" || !Object.hasOwn(kinds, name))
    throw refused(`unknown operation ${JSON.stringify(name)}`)
  return kinds[name as Operation["op"]].decode(raw, columns)
}

export const columnsAfter = (
  op: Operation,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<Column> => kindOf(op).columns(op, columns)

export const operationSql = (op: Operation, columns: ReadonlyArray<Column>, from: string): string =>
  kindOf(op).sql(op, columns, from)

export const reduces = (op: Operation): boolean => kindOf(op).reduces
