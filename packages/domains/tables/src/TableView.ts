/** View of a table in a step's result: columns, row count and first rows. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { isJsonObject } from "@planloom/plugin/effect"

export interface ViewColumn {
  readonly name: string
  readonly type: string
  readonly label: string
  /** Unit of time that dates were truncated to. */
  readonly grain: string | undefined
}

export interface TableView {
  readonly columns: ReadonlyArray<ViewColumn>
  readonly total: number
  /** The first rows; all rows if `rows.length === total`. */
  readonly rows: ReadonlyArray<JsonObject>
  readonly notes: ReadonlyArray<string>
  /** The original value. */
  readonly value: Json
}

const typeOf = (value: Json | undefined): string => {
  if (typeof value === "number") return "number"
  if (typeof value === "string") return /^\d{4}-\d{2}-\d{2}/.test(value) ? "date" : "string"
  return typeof value === "boolean" ? "boolean" : "string"
}

const readColumn = (raw: Json): ReadonlyArray<ViewColumn> => {
  if (!isJsonObject(raw) || typeof raw.name !== "string") return []
  const { name, type, label, grain } = raw
  return [
    {
      name,
      type: typeof type === "string" ? type : "string",
      label: typeof label === "string" ? label : name.replaceAll("_", " "),
      grain: typeof grain === "string" ? grain : undefined,
    },
  ]
}

/** Reads a handle with `columns` and `preview`, or a plain list of objects; undefined for anything else. */
export const viewTable = (value: Json): TableView | undefined => {
  if (Array.isArray(value)) {
    const rows = value.filter(isJsonObject)
    const [first] = rows
    if (first === undefined || rows.length < value.length) return undefined
    const columns = Object.entries(first).map(([name, cell]) => ({
      name,
      type: typeOf(cell),
      label: name.replaceAll("_", " "),
      grain: undefined,
    }))
    return { columns, total: rows.length, rows, notes: [], value }
  }
  if (!isJsonObject(value) || !Array.isArray(value.columns) || !Array.isArray(value.preview)) {
    return undefined
  }
  const rows = value.preview.filter(isJsonObject)
  return {
    columns: value.columns.flatMap(readColumn),
    total: typeof value.rows === "number" ? value.rows : rows.length,
    rows,
    notes: Array.isArray(value.notes) ? value.notes.map(String) : [],
    value,
  }
}

export const isChart = (value: Json): boolean => isJsonObject(value) && value.type === "chart"

export const isMeasured = ({ type }: ViewColumn): boolean => type === "number" || type === "integer"
