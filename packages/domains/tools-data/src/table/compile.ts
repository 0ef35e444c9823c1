/** Compiles a lineage to one SQL statement. */
import { createHash } from "node:crypto"
import { scan } from "../file/scan.ts"
import type { Source } from "../file/Source.ts"
import { besideOf, columnsAlong, operationSql } from "./operations.ts"
import type { Lineage, Operation } from "./Operation.ts"

/** A materialized result of the source and its first `ops` operations. */
export interface Kept {
  readonly table: string
  readonly ops: number
}

/**
 * Compiles the statement. `real` returns a source's verified path; `kept` starts from a materialized prefix.
 * Each operation reads the relation of the previous one.
 */
export const compile = (
  lineage: Lineage,
  real: (source: Source) => string,
  kept: Kept | undefined,
): string => {
  const along = columnsAlong(lineage)
  const start = kept?.ops ?? 0
  const first =
    kept === undefined
      ? scan(lineage.source, real(lineage.source))
      : `SELECT * FROM "${kept.table}"`
  const relations = [first]
  for (let index = start; index < lineage.ops.length; index++) {
    const op = lineage.ops[index]!
    const beside = besideOf(op)
    const other = beside === undefined ? undefined : compile(beside, real, undefined)
    relations.push(operationSql(op, along[index]!, `r${relations.length - 1}`, other))
  }
  const last = relations.pop()!
  return relations.length === 0
    ? last
    : `WITH ${relations.map((sql, index) => `r${index} AS (${sql})`).join(", ")} ${last}`
}

/** Key of a lineage's rows: equal for equal sources, file states and operations. */
export const lineageKey = (
  source: Source,
  modified: ReadonlyArray<number>,
  ops: ReadonlyArray<Operation>,
): string =>
  createHash("sha256")
    .update(JSON.stringify([source, modified, ops]))
    .digest("hex")
    .slice(0, 24)
