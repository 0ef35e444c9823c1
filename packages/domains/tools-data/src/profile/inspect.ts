/** Detects dialect and columns of a file. Nothing is guessed again afterwards. */
import * as Effect from "effect/Effect"
import { DataFailed, failed } from "../DataFailed.ts"
import { query } from "../duckdb/query.ts"
import type { Session } from "../duckdb/Session.ts"
import { isDelimited, type DataFile } from "../file/DataFile.ts"
import { headOf } from "../file/encoding.ts"
import { namedColumns, type Outline } from "../file/layout.ts"
import { storages, type Copy, type Dialect, type Source, type Storage } from "../file/Source.ts"
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

/** DuckDB writes `(empty)` for an unused character. */
const character = (value: unknown): string => (value === "(empty)" ? "" : String(value))

/** Notes on columns whose names are not those of the header. */
const renamed = (names: ReadonlyArray<string>, columns: ReadonlyArray<{ name: string }>) =>
  columns.flatMap(({ name }, index) => {
    const written = names[index]?.trim()
    if (written === undefined || written === name.trim()) return []
    return written === ""
      ? [`Column ${index + 1} has no name; it is called ${name}.`]
      : [`Column ${index + 1} repeats the name ${written}; it is called ${name}.`]
  })

/** The failure of a file whose lines are not laid out as its first ones are. */
const unreadable = (layout: Outline | undefined, message: string): DataFailed =>
  layout === undefined
    ? failed(message)
    : new DataFailed({ class: "tool_error", message, detail: { unreadable: "layout" } })

const inspectCsv = Effect.fnUntraced(function* (
  session: Session,
  file: DataFile,
  rows: number,
  { copy, outline }: Written,
) {
  const layout = copy?.layout
  const skipped = layout?.skip ?? outline?.skip
  const delimiter = layout?.delimiter ?? outline?.delimiter
  const given = [
    `sample_size=${rows}`,
    ...(delimiter === undefined ? [] : [`delim=${text(delimiter)}`]),
    // The copy begins with its header.
    ...(layout === undefined ? [] : ["header=true", `quote='"'`, `escape='"'`]),
    ...(skipped === undefined ? [] : [`skip=${layout === undefined ? skipped : 0}`]),
  ]
  const found = yield* query(
    session,
    `SELECT Delimiter, Quote, Escape, Comment, SkipRows, HasHeader, CAST(DateFormat AS VARCHAR) AS d, CAST(TimestampFormat AS VARCHAR) AS t, to_json(Columns) AS columns FROM sniff_csv(${text(file.real)}, ${given.join(", ")})`,
  )
  const row = found.rows[0]!
  const skip = Number(row["SkipRows"])
  const header = row["HasHeader"] === true
  const columns = (JSON.parse(String(row["columns"])) as Array<{ name: string; type: string }>).map(
    ({ name, type }) => ({
      name,
      storage: storages.find((storage) => storage === type) ?? ("VARCHAR" as const),
    }),
  )
  const names = layout?.names ?? outline?.names
  if ((names !== undefined && names.length !== columns.length) || (skip > 0 && !header))
    return yield* unreadable(
      outline,
      `${file.path} is not a regular table: its first lines do not fit the rest (an unclosed quote or a changing number of columns)`,
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
    ...(row["d"] === null ? {} : { date_format: String(row["d"]) }),
    ...(row["t"] === null ? {} : { timestamp_format: String(row["t"]) }),
  }
  const above = layout?.skip ?? skip
  const hasHeader = layout?.header ?? header
  const notes = [
    ...(above === 0 ? [] : [skippedNote(above)]),
    ...(hasHeader
      ? renamed(names ?? [], columns)
      : ["The file has no header; columns are named column0, column1, …"]),
    ...(columns.length === 1 ? raggedNotes(file) : []),
  ]
  const source = { ...base(file), columns, dialect, ...(copy === undefined ? {} : { copy }) }
  const inspected: Inspected = { source, notes }
  return inspected
})

/** A file whose lines have different numbers of cells is read as one column. */
const raggedNotes = (file: DataFile): ReadonlyArray<string> => {
  const { count, delimiter } = namedColumns(new TextDecoder().decode(headOf(file)))
  return count < 2
    ? []
    : [
        `The file was read as one column: its first line has ${count} cells between "${delimiter}", most other lines have another number.`,
      ]
}

const skippedNote = (lines: number): string =>
  lines === 1
    ? "The first line is above the header and was skipped."
    : `The first ${lines} lines are above the header and were skipped.`

/** Detects truncated JSON, which DuckDB reads as complete. */
const breaksOff = ({ format, head, tail }: DataFile): boolean =>
  format === "json" &&
  head[0] !== 0x1f &&
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

/** What is known of a text file before the database reads it. */
export interface Written {
  readonly copy: Copy | undefined
  /** The layout of its first lines; undefined for one column. */
  readonly outline: Outline | undefined
}

/** Reads a sample of the file and returns how to read the rest. */
export const inspect = (
  session: Session,
  file: DataFile,
  written: Written,
): Effect.Effect<Inspected, DataFailed> => {
  const rows = isSampled(file) ? SAMPLE_ROWS : -1
  const { format } = file
  return isDelimited(format)
    ? inspectCsv(session, file, rows, written)
    : inspectOther(session, file, format, rows)
}
