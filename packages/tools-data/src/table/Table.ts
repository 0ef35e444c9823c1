/** A table as it passes between steps: not rows, but where they come from and what was done to them. */
import type { Json, JsonObject } from "@planloom/plugin"
import type { ColumnType, Grain } from "@planloom/tables"
import type { Source } from "../file/Source.ts"
import type { Operation } from "./Operation.ts"

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** For people: axis and header text. The name when absent. */
  readonly label?: string
  /** What the dates of this column were cut to. */
  readonly grain?: Grain
}

/** A source and the operations on it: compiles to one SQL statement, the same rows every time. */
export interface Lineage {
  readonly source: Source
  readonly ops: ReadonlyArray<Operation>
}

/**
 * A table handle. Plain data, needs no open connection and no file but its source, so it can be
 * kept in a journal and worked on after a restart.
 */
export interface Table extends Lineage {
  readonly type: "table"
  readonly title?: string
  readonly columns: ReadonlyArray<Column>
  /** How many rows it has. */
  readonly rows: number
  /** The first rows, at most `PREVIEW`, as objects; dates are ISO text, missing values null. */
  readonly preview: ReadonlyArray<JsonObject>
  /** What a reader of the numbers should know: methods, skipped values. */
  readonly notes?: ReadonlyArray<string>
}

/** Rows a handle carries along. */
export const PREVIEW = 50

export const isNumeric = (column: Column): boolean =>
  column.type === "number" || column.type === "integer"

/** A table as JSON: it holds nothing else. */
export const toJson = (table: Table): Json => table as unknown as Json
