/** A table file with the detected parameters for reading it. */
import type { DataFormat } from "./DataFile.ts"
import type { Layout } from "./layout.ts"

/**
 * How a column is read: the closed set that scanning knows. Parquet describes itself, so there it
 * is the family only (`BIGINT` for every integer); `JSON` is everything that is read as text.
 */
export const storages = [
  "BOOLEAN",
  "BIGINT",
  "DOUBLE",
  "VARCHAR",
  "DATE",
  "TIMESTAMP",
  "TIMESTAMP WITH TIME ZONE",
  "TIME",
  "JSON",
] as const
export type Storage = (typeof storages)[number]

/** A CSV dialect. Empty text means that the character is not used. */
export interface Dialect {
  readonly delimiter: string
  readonly quote: string
  readonly escape: string
  readonly comment: string
  readonly skip: number
  readonly header: boolean
  readonly date_format?: string
  readonly timestamp_format?: string
}

/** How a file is rewritten that the database cannot read: as UTF-8, with the same cells in every row. */
export type Copy =
  | { readonly encoding: string; readonly layout?: Layout }
  | { readonly sheet: string; readonly layout: Layout }

export interface Source {
  /** The path as given by the user; relative to the process's current directory. */
  readonly path: string
  readonly format: DataFormat
  /** Bytes. */
  readonly size: number
  /** Digest of samples of the file: a handle is rejected once the file has changed. */
  readonly digest: string
  readonly columns: ReadonlyArray<{ readonly name: string; readonly storage: Storage }>
  /** That of the copy, if there is one. */
  readonly dialect?: Dialect
  readonly copy?: Copy
}
