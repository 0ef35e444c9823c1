/** Recognizes outputs with a special display by their `type`: tables, charts, reports. */
import { isJsonObject, type Json, type JsonObject } from "@planloom/plugin"

/** A table as tools return it: columns, number of rows, and the first rows. */
export interface TableValue {
  readonly type: "table"
  readonly title?: string
  readonly columns: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly label?: string
    /** Precision of dates: `month`, `quarter` … */
    readonly grain?: string
  }>
  readonly rows: number
  readonly preview: ReadonlyArray<JsonObject>
  readonly notes?: ReadonlyArray<string>
}

const objectOf = (value: Json): JsonObject | undefined => (isJsonObject(value) ? value : undefined)

export const isTable = (value: Json): value is Json & TableValue => {
  const given = objectOf(value)
  return (
    given?.["type"] === "table" &&
    Array.isArray(given["columns"]) &&
    Array.isArray(given["preview"]) &&
    typeof given["rows"] === "number" &&
    (given["columns"] as ReadonlyArray<Json>).every(
      (column) => typeof objectOf(column)?.["name"] === "string",
    ) &&
    (given["preview"] as ReadonlyArray<Json>).every((row) => objectOf(row) !== undefined)
  )
}

/** The file of an output: its extension and text. */
export interface OutputFile {
  readonly ending: string
  readonly text: string
}

/** Returns the file of a chart or a report; with `all`, of every output. */
export const fileOf = (value: Json, all: boolean): OutputFile | undefined => {
  const given = objectOf(value)
  if (given?.["type"] === "chart" && typeof given["svg"] === "string") {
    return { ending: "svg", text: given["svg"] }
  }
  if (given?.["type"] === "report" && typeof given["html"] === "string") {
    return { ending: "html", text: given["html"] }
  }
  if (typeof value === "string") {
    if (/^\s*(<\?xml[^>]*>\s*)?<svg\b/i.test(value)) return { ending: "svg", text: value }
    if (/^\s*<(!doctype html|html)\b/i.test(value)) return { ending: "html", text: value }
    return all ? { ending: "md", text: `${value.trimEnd()}\n` } : undefined
  }
  return all && value !== null
    ? { ending: "json", text: `${JSON.stringify(value, null, 2)}\n` }
    : undefined
}
