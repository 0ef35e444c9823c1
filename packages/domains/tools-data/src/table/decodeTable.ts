/** Decodes a table handle and validates everything in it. */
import { isJsonObject } from "@planloom/plugin/effect"
import { refused } from "../DataFailed.ts"
import { columnsAlong, decodeLineage } from "./operations.ts"
import { type Raw } from "./read.ts"
import type { Table } from "./Table.ts"

const handleIn = (value: unknown): Raw | undefined => {
  if (!isJsonObject(value)) return undefined
  if (value["type"] === "table") return value
  // A profile contains its table.
  return handleIn(value["table"])
}

/** Accepts a handle or a profile that contains one. Throws `DataFailed`. */
export const decodeTable = (value: unknown): Table => {
  const raw = handleIn(value)
  if (raw === undefined)
    throw refused("this input is not a table: connect the result of a table tool or of describe")
  const lineage = decodeLineage(raw)
  const notes = Array.isArray(raw["notes"])
    ? raw["notes"].filter((note) => typeof note === "string")
    : []
  return {
    type: "table",
    ...(typeof raw["title"] === "string" ? { title: raw["title"] } : {}),
    ...lineage,
    columns: columnsAlong(lineage).at(-1)!,
    rows: typeof raw["rows"] === "number" ? raw["rows"] : 0,
    preview: Array.isArray(raw["preview"]) ? raw["preview"] : [],
    ...(notes.length === 0 ? {} : { notes }),
  }
}
