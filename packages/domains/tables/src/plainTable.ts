/** A table handle, or a list of flat objects, as a grid of plain text, for terminals and logs. */
import { isJsonObject, type Json, type JsonObject } from "@planloom/plugin/effect"
import { flatRows, type FlatRows } from "./flatRows.ts"

export interface PlainTable {
  readonly title: string | undefined
  readonly heads: ReadonlyArray<{ readonly text: string; readonly isNumeric: boolean }>
  /** The first rows, cell by cell; values of the handle, which may contain control characters. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Number of rows that are not among them. */
  readonly more: number
  readonly notes: ReadonlyArray<string>
}

/**
 * Undefined for a value that is neither a complete handle nor flat rows. All numbers of a handle's column have the same
 * number of decimals; flat rows show their values as they are.
 */
export const plainTable = (value: Json, maxRows: number): PlainTable | undefined => {
  if (!isHandle(value)) {
    const flat = flatRows(value)
    return flat && flatTable(flat, maxRows)
  }
  const shown = value.preview.slice(0, maxRows)
  const cells = value.columns.map((column) => cellsOf(column, shown))
  return {
    title: value.title,
    heads: value.columns.map(({ label, name, type }) => ({
      text: label ?? name,
      isNumeric: type === "number" || type === "integer",
    })),
    rows: shown.map((_, row) => cells.map((column) => column[row]!)),
    more: Math.max(0, value.rows - shown.length),
    notes: value.notes ?? [],
  }
}

const flatTable = ({ names, rows }: FlatRows, maxRows: number): PlainTable => {
  const shown = rows.slice(0, maxRows)
  return {
    title: undefined,
    heads: names.map((text) => ({
      text,
      isNumeric: rows.every((row) => typeof (row[text] ?? 0) === "number"),
    })),
    rows: shown.map((row) => names.map((name) => String(row[name] ?? "–"))),
    more: rows.length - shown.length,
    notes: [],
  }
}

interface Handle {
  readonly title?: string
  readonly columns: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly label?: string
    readonly grain?: string
  }>
  readonly rows: number
  readonly preview: ReadonlyArray<JsonObject>
  readonly notes?: ReadonlyArray<string>
}

const isHandle = (value: Json): value is Json & Handle => {
  if (!isJsonObject(value)) return false
  const { columns, preview, rows, type } = value
  return (
    type === "table" &&
    typeof rows === "number" &&
    Array.isArray(columns) &&
    columns.every((column) => isJsonObject(column) && typeof column["name"] === "string") &&
    Array.isArray(preview) &&
    preview.every((row) => isJsonObject(row))
  )
}

const cellsOf = (
  { grain, name, type }: Handle["columns"][number],
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
    const text = typeof value === "string" ? value : JSON.stringify(value)
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
