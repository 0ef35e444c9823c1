/** Compiles a source to the SQL table function call that reads its file. */
import { identifier, text } from "../table/sql.ts"
import type { Dialect, Source, Storage } from "./Source.ts"

const struct = (entries: ReadonlyArray<readonly [string, string]>): string =>
  `{${entries.map(([name, value]) => `${text(name)}: ${value}`).join(", ")}}`

/** `read_csv`'s arguments for a known dialect, sniffing off. */
const csvArguments = (dialect: Dialect): ReadonlyArray<string> => [
  "auto_detect=false",
  `delim=${text(dialect.delimiter)}`,
  `quote=${text(dialect.quote)}`,
  `escape=${text(dialect.escape)}`,
  `comment=${text(dialect.comment)}`,
  `skip=${Math.trunc(dialect.skip)}`,
  `header=${dialect.header ? "true" : "false"}`,
  ...(dialect.date_format === undefined ? [] : [`dateformat=${text(dialect.date_format)}`]),
  ...(dialect.timestamp_format === undefined
    ? []
    : [`timestampformat=${text(dialect.timestamp_format)}`]),
]

/** SQL type of a column inside the engine: no time zones, nesting or text variants. */
const cast = (name: string, storage: Storage): string => {
  const column = identifier(name)
  if (storage === "TIMESTAMP WITH TIME ZONE") return `CAST(${column} AS TIMESTAMP) AS ${column}`
  if (storage === "TIME" || storage === "JSON") return `CAST(${column} AS VARCHAR) AS ${column}`
  return column
}

const call = (source: Source, real: string): string => {
  const columns = struct(source.columns.map(({ name, storage }) => [name, text(storage)] as const))
  switch (source.format) {
    case "parquet":
      return `read_parquet(${text(real)})`
    case "json":
    case "ndjson":
      return `read_json(${text(real)}, format=${text(source.format === "json" ? "auto" : "newline_delimited")}, columns=${columns})`
    case "csv":
    case "tsv":
    case "xlsx":
      return `read_csv(${[text(real), ...csvArguments(source.dialect!), `columns=${columns}`].join(", ")})`
  }
}

/** `SELECT` over the whole file at `real`. */
export const scan = (source: Source, real: string): string =>
  `SELECT ${source.columns.map(({ name, storage }) => cast(name, storage)).join(", ")} FROM ${call(source, real)}`
