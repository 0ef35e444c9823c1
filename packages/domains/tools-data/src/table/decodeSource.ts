/** Decodes and validates a source. Throws `DataFailed`. */
import { isJsonObject } from "@planloom/plugin/effect"
import { refused } from "../DataFailed.ts"
import { dataFormats, isDelimited } from "../file/DataFile.ts"
import type { Layout } from "../file/layout.ts"
import { storages, type Copy, type Dialect, type Source } from "../file/Source.ts"
import { readChoice, readList, readText, readWhole } from "./read.ts"

const decodeDialect = (raw: unknown): Dialect => {
  if (!isJsonObject(raw)) throw refused("a CSV source needs its dialect")
  const format = (key: "date_format" | "timestamp_format") =>
    raw[key] === undefined ? {} : { [key]: readText(raw[key], key) }
  return {
    delimiter: readText(raw["delimiter"], "delimiter"),
    quote: readText(raw["quote"], "quote"),
    escape: readText(raw["escape"], "escape"),
    comment: readText(raw["comment"], "comment"),
    skip: readWhole(raw["skip"], "skip", 0, 1_000_000),
    header: raw["header"] === true,
    ...format("date_format"),
    ...format("timestamp_format"),
  }
}

const decodeLayout = (raw: unknown): Layout => {
  if (!isJsonObject(raw)) throw refused("a layout must be an object")
  return {
    delimiter: readText(raw["delimiter"], "delimiter"),
    skip: readWhole(raw["skip"], "skip", 0, 1_000_000),
    header: raw["header"] === true,
    names: readList(raw["names"], "names").map((name) => readText(name, "name")),
  }
}

const decodeCopy = (raw: unknown): Copy => {
  if (!isJsonObject(raw)) throw refused("a copy must be an object")
  if (raw["sheet"] !== undefined)
    return { sheet: readText(raw["sheet"], "sheet"), layout: decodeLayout(raw["layout"]) }
  return {
    encoding: readText(raw["encoding"], "encoding"),
    ...(raw["layout"] === undefined ? {} : { layout: decodeLayout(raw["layout"]) }),
  }
}

export const decodeSource = (raw: unknown): Source => {
  if (!isJsonObject(raw)) throw refused("a table needs a source")
  const format = readChoice(raw["format"], dataFormats, "format")
  return {
    path: readText(raw["path"], "path"),
    format,
    size: readWhole(raw["size"], "size", 0, Number.MAX_SAFE_INTEGER),
    digest: readText(raw["digest"], "digest"),
    columns: readList(raw["columns"], "columns").map((column) => {
      if (!isJsonObject(column)) throw refused("a column needs a name and a storage")
      return {
        name: readText(column["name"], "name"),
        storage: readChoice(column["storage"], storages, "storage"),
      }
    }),
    ...(isDelimited(format) ? { dialect: decodeDialect(raw["dialect"]) } : {}),
    ...(raw["copy"] === undefined ? {} : { copy: decodeCopy(raw["copy"]) }),
  }
}
