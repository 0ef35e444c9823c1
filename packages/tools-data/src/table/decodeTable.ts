/** A table handle out of plain data: nothing in it is believed before it has been checked. */
import { refused } from "../DataFailed.ts"
import { columnsAlong, decodeLineage } from "./operations.ts"
import { isRaw, type Raw } from "./read.ts"
import type { Table } from "./Table.ts"

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
