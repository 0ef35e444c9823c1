/** Formats the outputs of a run for a terminal: text, tables, and paths of written files. */
import { isJsonObject, type Json, type JsonObject } from "@planloom/plugin"
import type { Screen } from "../terminal/Screen.ts"
import { table, type TableColumn } from "../terminal/table.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"
import { isTable, type TableValue } from "./outputKinds.ts"

/** Maximum number of shown rows; the output file contains all rows of the run. */
const MAX_ROWS = 20

export type Show = Pick<Screen, "style"> & { readonly width: number }

/** `files` maps output names to written files. A single text is printed without a title. */
export const showOutputs = (
  outputs: JsonObject,
  files: ReadonlyMap<string, string>,
  show: Show,
): string => {
  const entries = Object.entries(outputs)
  const shown = entries.flatMap(([name, value]) => {
    const text = textOf(value, show)
    return text === undefined ? [] : [{ name, text }]
  })
  const blocks = shown.map(({ name, text }, index) =>
    index === 0 && typeof outputs[name] === "string"
      ? text
      : `${show.style.bold(titleOf(name, outputs[name]!))}\n${text}`,
  )
  const names = Math.max(0, ...[...files.keys()].map((name) => name.length))
  const written = [...files].map(
    ([name, path]) => `${show.style.bold(name.padEnd(names))}  ${path}`,
  )
  return [...blocks, ...(written.length === 0 ? [] : [written.join("\n")])].join("\n\n")
}

const titleOf = (name: string, value: Json): string =>
  isTable(value) && value.title !== undefined ? oneLine(value.title) : name

/** Formats a value; undefined for null and for charts and reports, which are files. */
const textOf = (value: Json, show: Show): string | undefined => {
  if (value === null) return undefined
  if (typeof value === "string") {
    return /^\s*<(svg|!doctype html|html)\b/i.test(value)
      ? undefined
      : wrap(visible(value), show.width).join("\n").trimEnd()
  }
  if (isTable(value)) return tableText(value, show)
  const type = isJsonObject(value) ? value["type"] : undefined
  if (type === "chart" || type === "report") return undefined
  if (typeof value !== "object") return String(value)
  return visible(JSON.stringify(value, null, 2))
}

const tableText = (value: TableValue, { style, width }: Show): string => {
  const shown = value.preview.slice(0, MAX_ROWS)
  const cells = value.columns.map((column) => columnCells(column, shown))
  const columns = value.columns.map(({ label, name, type }): TableColumn => ({
    head: oneLine(label ?? name),
    align: type === "number" || type === "integer" ? "right" : "left",
  }))
  const rows = shown.map((_, row) => cells.map((column) => column[row]!))
  const more = value.rows - rows.length
  return [
    ...(rows.length === 0 ? [style.dim("no rows")] : table(columns, rows, width, style.dim)),
    ...(more > 0 ? [style.dim(`… ${more.toLocaleString("en-US")} more rows`)] : []),
    ...(value.notes ?? []).flatMap((note) => wrap(`note: ${oneLine(note)}`, width).map(style.dim)),
  ].join("\n")
}

/** Formats a column's values; all numbers have the same number of decimals. */
const columnCells = (
  { grain, name, type }: TableValue["columns"][number],
  rows: ReadonlyArray<JsonObject>,
): ReadonlyArray<string> => {
  const values = rows.map((row) => row[name] ?? null)
  const decimals = Math.max(0, ...values.map(decimalsOf))
  const grouped = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    // A year or an id must not become 2,024.
    useGrouping: type !== "integer" || values.some((value) => Math.abs(Number(value)) >= 10_000),
  })
  return values.map((value) => {
    if (value === null) return "–"
    if (typeof value === "number") return grouped.format(value)
    const text = typeof value === "string" ? oneLine(value) : JSON.stringify(value)
    return type === "date" ? dateText(text, grain) : text
  })
}

/** Number of decimals: at most two, four for small shares. */
const decimalsOf = (value: Json): number => {
  if (typeof value !== "number" || Number.isInteger(value)) return 0
  if (Math.abs(value) < 0.1) return 4
  return Math.round(value * 100) % 10 === 0 ? 1 : 2
}

/** Cuts an ISO date to its precision: `2024-03` for a month. */
const dateText = (iso: string, grain: string | undefined): string => {
  switch (grain) {
    case "year":
      return iso.slice(0, 4)
    case "quarter":
      return `${iso.slice(0, 4)}-Q${Math.ceil(Number(iso.slice(5, 7)) / 3)}`
    case "month":
      return iso.slice(0, 7)
    default:
      return iso
  }
}
