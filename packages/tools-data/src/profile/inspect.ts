/** Detects encoding, dialect and columns of a file. Nothing is guessed again afterwards. */
import * as Effect from "effect/Effect"
import { failed, type DataFailed } from "../DataFailed.ts"
import { query } from "../duckdb/query.ts"
import type { Session } from "../duckdb/Session.ts"
import type { DataFile } from "../file/DataFile.ts"
import { storages, type Dialect, type Source, type Storage } from "../file/Source.ts"
import { text } from "../table/sql.ts"

export interface Inspected {
  readonly source: Source
  readonly notes: ReadonlyArray<string>
}

const base = (file: DataFile) => ({
  path: file.path,
  format: file.format,
  size: file.size,
  digest: file.digest,
})

/** Type family of a DuckDB type; nested and uncommon types are text. */
const storageOf = (type: string): Storage => {
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)) return "BIGINT"
  if (/^(DOUBLE|FLOAT|DECIMAL.*)$/.test(type)) return "DOUBLE"
  if (type === "TIMESTAMP WITH TIME ZONE") return type
  if (type.startsWith("TIMESTAMP")) return "TIMESTAMP"
  return storages.find((storage) => storage === type) ?? "JSON"
}

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

const encodingOf = (file: DataFile): Dialect["encoding"] | "binary" => {
  const { head } = file
  if (isGzip(head)) return "utf-8"
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
    return "utf-16"
  if (head.includes(0)) return "binary"
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true })
    return "utf-8"
  } catch {
    return "latin-1"
  }
}

/** DuckDB writes `(empty)` for an unused character. */
const character = (value: unknown): string => (value === "(empty)" ? "" : String(value))

const inspectCsv = Effect.fnUntraced(function* (session: Session, file: DataFile, rows: number) {
  const encoding = encodingOf(file)
  if (encoding === "binary")
    return yield* failed(`${file.path} is not a text file: it holds binary data`)
  const given = [
    `sample_size=${rows}`,
    `encoding=${text(encoding)}`,
    ...(file.format === "tsv" ? ["delim='\t'"] : []),
  ]
  const found = yield* query(
    session,
    `SELECT Delimiter, Quote, Escape, Comment, SkipRows, HasHeader, CAST(DateFormat AS VARCHAR) AS d, CAST(TimestampFormat AS VARCHAR) AS t, to_json(Columns) AS columns FROM sniff_csv(${text(file.real)}, ${given.join(", ")})`,
  )
  const row = found.rows[0]!
  const skip = Number(row["SkipRows"])
  const header = row["HasHeader"] === true
  if (skip > 0 && !header)
    return yield* failed(
      `${file.path} is not a regular table: its first ${skip} lines do not fit the rest (an unclosed quote or a changing number of columns)`,
    )
  const columns = (JSON.parse(String(row["columns"])) as Array<{ name: string; type: string }>).map(
    ({ name, type }) => ({
      name,
      storage: storages.find((storage) => storage === type) ?? ("VARCHAR" as const),
    }),
  )
  const quote = character(row["Quote"])
  const dialect: Dialect = {
    delimiter: character(row["Delimiter"]),
    // Quotes may occur after the sample; then the default quote applies.
    quote: quote === "" ? '"' : quote,
    escape: character(row["Escape"]) || (quote === "" ? '"' : quote),
    comment: character(row["Comment"]),
    skip,
    header,
    encoding,
    ...(row["d"] === null ? {} : { date_format: String(row["d"]) }),
    ...(row["t"] === null ? {} : { timestamp_format: String(row["t"]) }),
  }
  const notes = [
    ...(skip > 0 ? [`The first ${skip} lines are not part of the table and were skipped.`] : []),
    ...(encoding === "latin-1" ? ["The file is not UTF-8; it was read as Latin-1."] : []),
    ...(header ? [] : ["The file has no header; columns are named column0, column1, …"]),
  ]
  const inspected: Inspected = { source: { ...base(file), columns, dialect }, notes }
  return inspected
})

/** Detects truncated JSON, which DuckDB reads as complete. */
const breaksOff = ({ format, head, tail }: DataFile): boolean =>
  format === "json" &&
  !isGzip(head) &&
  /^[\uFEFF\s]*\[/.test(new TextDecoder().decode(head)) &&
  !/\]\s*$/.test(new TextDecoder().decode(tail))

const readers = { parquet: "read_parquet", json: "read_json", ndjson: "read_json" } as const

const inspectOther = Effect.fnUntraced(function* (
  session: Session,
  file: DataFile,
  format: keyof typeof readers,
  rows: number,
) {
  if (breaksOff(file)) return yield* failed(`${file.path} breaks off: its list has no end`)
  const options =
    format === "parquet"
      ? ""
      : `, sample_size=${rows}${format === "ndjson" ? ", format='newline_delimited'" : ""}`
  const found = yield* query(
    session,
    `DESCRIBE SELECT * FROM ${readers[format]}(${text(file.real)}${options})`,
  )
  const columns = found.rows.map((row) => ({
    name: String(row["column_name"]),
    storage: storageOf(String(row["column_type"])),
  }))
  const inspected: Inspected = { source: { ...base(file), columns }, notes: [] }
  return inspected
})

/** Files up to 4 MiB are sniffed as a whole. Sniffing reads about 20 MB/s, scanning 200. */
const SNIFF_WHOLE_BYTES = 4 * 1024 ** 2
/** Rows to sniff of a larger file: DuckDB's default. */
const SAMPLE_ROWS = 20_480

/** Whether types are based on a sample, so that later rows may not fit them. */
export const isSampled = (file: DataFile): boolean =>
  file.format !== "parquet" && file.size > SNIFF_WHOLE_BYTES

/** Reads a sample of the file and returns how to read the rest. */
export const inspect = (session: Session, file: DataFile): Effect.Effect<Inspected, DataFailed> => {
  const rows = isSampled(file) ? SAMPLE_ROWS : -1
  return file.format === "csv" || file.format === "tsv"
    ? inspectCsv(session, file, rows)
    : inspectOther(session, file, file.format, rows)
}
