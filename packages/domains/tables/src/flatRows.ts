/** A list of flat objects, such as a list of records, as rows of cells. */
import { isJsonObject, type Json, type JsonObject } from "@planloom/plugin/effect"

export interface FlatRows {
  /** Keys of all objects, in the order of their first occurrence. */
  readonly names: ReadonlyArray<string>
  readonly rows: ReadonlyArray<JsonObject>
}

/** Undefined for anything but a non-empty list of objects whose values are texts, numbers, true, false or null. */
export const flatRows = (value: Json): FlatRows | undefined => {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const rows = value.filter((row: Json) => isJsonObject(row) && Object.values(row).every(isCell))
  if (rows.length < value.length) return undefined
  const names = [...new Set((rows as ReadonlyArray<JsonObject>).flatMap(Object.keys))]
  return names.length === 0 ? undefined : { names, rows: rows as ReadonlyArray<JsonObject> }
}

const isCell = (value: Json): boolean => value === null || typeof value !== "object"

/** CSV by RFC 4180. A text that a spreadsheet would evaluate as a formula gets an apostrophe before it. */
export const csvOf = ({ names, rows }: FlatRows): string =>
  [names, ...rows.map((row) => names.map((name) => row[name] ?? null))]
    .map((cells) => `${cells.map(csvCell).join(",")}\r\n`)
    .join("")

const csvCell = (cell: Json): string => {
  if (typeof cell !== "string") return cell === null ? "" : String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
