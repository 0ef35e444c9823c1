/** The outputs of a run as a person wants to see them: text, tables, and where files were written. */
import type { Json, JsonObject } from "@planloom/plugin"
import type { Screen } from "../terminal/Screen.ts"
import { table, type TableColumn } from "../terminal/table.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"
import { isTable, type TableValue } from "./outputKinds.ts"

/** Rows of a table that are shown; its file holds all that came with the run. */
const ROWS = 20

export type Show = Pick<Screen, "style"> & { readonly width: number }

/** `files` tells where outputs were written, by name. One text alone is printed as it is. */
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
    index === 0 && typeof outputs[name] === "string" ? text : `${show.style.bold(name)}\n${text}`,
  )
  const names = Math.max(0, ...[...files.keys()].map((name) => name.length))
  const written = [...files].map(
    ([name, path]) => `${show.style.bold(name.padEnd(names))}  ${path}`,
  )
  return [...blocks, ...(written.length === 0 ? [] : [written.join("\n")])].join("\n\n")
}

/** Undefined for what is a file rather than text: charts and reports. */
const textOf = (value: Json, show: Show): string | undefined => {
  if (typeof value === "string") {
    return /^\s*<(svg|!doctype html|html)\b/i.test(value)
      ? undefined
      : wrap(visible(value), show.width).join("\n").trimEnd()
  }
  if (isTable(value)) return tableText(value, show)
  const type =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)["type"]
      : undefined
  if (type === "chart" || type === "report") return undefined
  if (value === null || typeof value !== "object") return String(value)
  return visible(JSON.stringify(value, null, 2))
}

const numbers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 })

const tableText = (value: TableValue, { style, width }: Show): string => {
  const columns = value.columns.map(({ label, name, type }): TableColumn => ({
    head: oneLine(label ?? name),
    align: type === "number" || type === "integer" ? "right" : "left",
  }))
  const rows = value.preview
    .slice(0, ROWS)
    .map((row) => value.columns.map(({ name, type }) => cell(row[name] ?? null, type)))
  const more = value.rows - rows.length
  return [
    ...(value.title === undefined ? [] : [style.bold(oneLine(value.title))]),
    ...(rows.length === 0 ? [style.dim("no rows")] : table(columns, rows, width, style.dim)),
    ...(more > 0 ? [style.dim(`… ${numbers.format(more)} more rows`)] : []),
    ...(value.notes ?? []).map((note) => style.dim(`note: ${oneLine(note)}`)),
  ].join("\n")
}

const cell = (value: Json, type: string): string => {
  if (value === null) return "–"
  if (typeof value === "number") {
    // A year or an id must not read as 2,024.
    return type === "integer" && Math.abs(value) < 10_000 ? String(value) : numbers.format(value)
  }
  return typeof value === "string" ? oneLine(value) : JSON.stringify(value)
}
