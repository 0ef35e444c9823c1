/** A file of rows: where it is, and what its columns are for. */

export interface RowFile {
  /** Absolute path of a CSV, TSV, JSON, JSON Lines, SQLite or Excel file. */
  readonly file: string
  /** Its name in the library. */
  readonly name: string
  /** The table of a SQLite file, or the sheet of a workbook. */
  readonly table?: string
  /** The column whose values identify rows; their content does without it. */
  readonly key?: string
  /** The columns that are searched; all unless given. */
  readonly columns?: ReadonlyArray<string>
}

/** A row with its values as text; a list has several. */
export interface Row {
  /** From 1: the line of a text, or the row of a sheet; undefined for other formats. */
  readonly lines?: readonly [number, number]
  readonly values: ReadonlyMap<string, ReadonlyArray<string>>
}

export interface ReadRows {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  /** Whether there are more rows than are read. */
  readonly left: boolean
}

/** Most rows of a file. */
export const MAX_ROWS = 200_000

/** Largest file. */
export const MAX_ROW_BYTES = 64 * 1024 * 1024
