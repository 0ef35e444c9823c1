/** Table handle passed between steps: the source of its rows and the operations on them. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import type { ColumnType, Grain } from "@planloom/tables"
import type { Lineage } from "./Operation.ts"

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Label for axes and headers; defaults to the name. */
  readonly label?: string
  /** Grain that the dates were truncated to. */
  readonly grain?: Grain
}

/**
 * A table handle. Plain data that needs no open connection and no file but its source, so it can be recorded in a
 * journal and used after a restart.
 */
export interface Table extends Lineage {
  readonly type: "table"
  readonly title?: string
  readonly columns: ReadonlyArray<Column>
  /** Number of rows. */
  readonly rows: number
  /** The first rows, at most `PREVIEW_ROWS`, as objects; dates are ISO text, missing values null. */
  readonly preview: ReadonlyArray<JsonObject>
  /** Notes for the reader: methods, skipped values. */
  readonly notes?: ReadonlyArray<string>
}

/** Number of rows included in a handle. */
export const PREVIEW_ROWS = 50

export const isNumeric = (column: Column): boolean =>
  column.type === "number" || column.type === "integer"

/** Converts a table to JSON. */
export const toJson = (table: Table): Json => table as unknown as Json
