/** A lineage as one SQL statement. */
import { createHash } from "node:crypto"
import { scan } from "../file/scan.ts"
import type { Source, Storage } from "../file/Source.ts"
import { columnsAfter, operationSql } from "./operations.ts"
import type { Operation } from "./Operation.ts"
import type { Column, ColumnType, Lineage } from "./Table.ts"

const types: { readonly [storage in Storage]: ColumnType } = {
  BOOLEAN: "boolean",
  BIGINT: "integer",
  DOUBLE: "number",
  VARCHAR: "string",
  DATE: "date",
  TIMESTAMP: "date",
  "TIMESTAMP WITH TIME ZONE": "date",
  TIME: "string",
  JSON: "string",
}

/** The columns a source gives. */
export const sourceColumns = (source: Source): ReadonlyArray<Column> =>
  source.columns.map(({ name, storage }) => ({ name, type: types[storage] }))

/** The columns before each operation, and after the last: one entry more than operations. */
export const columnsAlong = (lineage: Lineage): ReadonlyArray<ReadonlyArray<Column>> => {
  const along = [sourceColumns(lineage.source)]
  for (const op of lineage.ops) along.push(columnsAfter(op, along.at(-1)!))
  return along
}

/** A kept result that stands for the source and its first `ops` operations. */
export interface Kept {
  readonly table: string
  readonly ops: number
}

/**
 * The statement. `real` is the file's checked path; `kept` starts it from a materialised prefix.
 * Each operation reads the relation of the one before it.
 */
export const compile = (lineage: Lineage, real: string, kept: Kept | undefined): string => {
  const along = columnsAlong(lineage)
  const start = kept?.ops ?? 0
  const first = kept === undefined ? scan(lineage.source, real) : `SELECT * FROM "${kept.table}"`
  const relations = [first]
  for (let index = start; index < lineage.ops.length; index++)
    relations.push(operationSql(lineage.ops[index]!, along[index]!, `r${relations.length - 1}`))
  const last = relations.pop()!
  return relations.length === 0
    ? last
    : `WITH ${relations.map((sql, index) => `r${index} AS (${sql})`).join(", ")} ${last}`
}

/** Names the rows of a lineage: equal for equal source, file state and operations. */
export const lineageKey = (
  source: Source,
  modified: number,
  ops: ReadonlyArray<Operation>,
): string =>
  createHash("sha256")
    .update(JSON.stringify([source, modified, ops]))
    .digest("hex")
    .slice(0, 24)
