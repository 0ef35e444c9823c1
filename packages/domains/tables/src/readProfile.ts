/** Reads a data profile from the output of a describe tool. */
import type { Json } from "@planloom/plugin/effect"
import { columnTypes } from "./DataProfile.ts"
import type { Column, DataProfile } from "./DataProfile.ts"
import { isJsonObject } from "@planloom/plugin/effect"

const readColumn = (raw: Json): ReadonlyArray<Column> => {
  if (!isJsonObject(raw) || typeof raw.name !== "string") return []
  const { name, distinct, min, max, nulls, unique } = raw
  const bound = (value: Json | undefined): value is number | string =>
    typeof value === "number" || typeof value === "string"
  return [
    {
      name,
      type: columnTypes.find((type) => type === raw.type) ?? "string",
      ...(Array.isArray(distinct)
        ? { distinct: distinct as ReadonlyArray<string | number | boolean | null> }
        : {}),
      ...(bound(min) ? { min } : {}),
      ...(bound(max) ? { max } : {}),
      ...(typeof nulls === "number" ? { nulls } : {}),
      ...(unique === true ? { unique } : {}),
    },
  ]
}

/** Omits unreadable columns; without a profile the table has no known columns. */
export const readProfile = (raw: Json | undefined): DataProfile => {
  const profile = isJsonObject(raw) ? raw : {}
  return {
    ...(typeof profile.title === "string" ? { title: profile.title } : {}),
    columns: Array.isArray(profile.columns) ? profile.columns.flatMap(readColumn) : [],
    rows: typeof profile.rows === "number" ? profile.rows : 0,
  }
}

/** Formats a profile for a model: one line per column, with its values if they are few. */
export const describeProfile = ({ columns, rows }: DataProfile): string => {
  const lines = columns.map(({ name, type, distinct, min, max }) => {
    const values =
      distinct === undefined
        ? ""
        : `: ${distinct.slice(0, 12).map(String).join(", ")}${distinct.length > 12 ? ", …" : ""}`
    const range = min === undefined || values !== "" ? "" : `: ${min} to ${max ?? "?"}`
    return `- ${JSON.stringify(name)} (${type})${values || range}`
  })
  return [`${rows} rows, columns:`, ...lines].join("\n")
}
