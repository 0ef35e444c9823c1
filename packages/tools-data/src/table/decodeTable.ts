/** A table handle out of plain data: nothing in it is believed before it has been checked. */
import { refused } from "../DataFailed.ts"
import { storages, type Dialect, type Source } from "../file/Source.ts"
import { sourceColumns } from "./compile.ts"
import { columnsAfter, decodeOperation } from "./operations.ts"
import type { Operation } from "./Operation.ts"
import { isRaw, readChoice, readList, readText, readWhole, type Raw } from "./read.ts"
import type { Column, Table } from "./Table.ts"

const decodeDialect = (raw: unknown): Dialect => {
  if (!isRaw(raw)) throw refused("a CSV source needs its dialect")
  const format = (key: "date_format" | "timestamp_format") =>
    raw[key] === undefined ? {} : { [key]: readText(raw[key], key) }
  return {
    delimiter: readText(raw["delimiter"], "delimiter"),
    quote: readText(raw["quote"], "quote"),
    escape: readText(raw["escape"], "escape"),
    comment: readText(raw["comment"], "comment"),
    skip: readWhole(raw["skip"], "skip", 0, 1_000_000),
    header: raw["header"] === true,
    encoding: readChoice(raw["encoding"], ["utf-8", "utf-16", "latin-1"], "encoding"),
    ...format("date_format"),
    ...format("timestamp_format"),
  }
}

const decodeSource = (raw: unknown): Source => {
  if (!isRaw(raw)) throw refused("a table needs a source")
  const format = readChoice(raw["format"], ["csv", "tsv", "parquet", "json", "ndjson"], "format")
  return {
    path: readText(raw["path"], "path"),
    format,
    size: readWhole(raw["size"], "size", 0, Number.MAX_SAFE_INTEGER),
    digest: readText(raw["digest"], "digest"),
    columns: readList(raw["columns"], "columns").map((column) => {
      if (!isRaw(column)) throw refused("a column needs a name and a storage")
      return {
        name: readText(column["name"], "name"),
        storage: readChoice(column["storage"], storages, "storage"),
      }
    }),
    ...(format === "csv" || format === "tsv" ? { dialect: decodeDialect(raw["dialect"]) } : {}),
  }
}

const handleIn = (value: unknown): Raw | undefined => {
  if (!isRaw(value)) return undefined
  if (value["type"] === "table") return value
  // A profile carries its table along.
  return handleIn(value["table"])
}

/** The handle in `value`, which may also be a profile with a table in it. Throws `DataFailed`. */
export const decodeTable = (value: unknown): Table => {
  const raw = handleIn(value)
  if (raw === undefined)
    throw refused("this input is not a table: connect the result of a table tool or of describe")
  const source = decodeSource(raw["source"])
  let columns: ReadonlyArray<Column> = sourceColumns(source)
  const ops: Array<Operation> = []
  for (const each of readList(raw["ops"], "ops")) {
    const op = decodeOperation(each, columns)
    columns = columnsAfter(op, columns)
    ops.push(op)
  }
  const notes = Array.isArray(raw["notes"])
    ? raw["notes"].filter((note) => typeof note === "string")
    : []
  return {
    type: "table",
    ...(typeof raw["title"] === "string" ? { title: raw["title"] } : {}),
    source,
    ops,
    columns,
    rows: typeof raw["rows"] === "number" ? raw["rows"] : 0,
    preview: Array.isArray(raw["preview"]) ? raw["preview"] : [],
    ...(notes.length === 0 ? {} : { notes }),
  }
}
