/** Values of cells and columns as text. */
import type { CellValue } from "hucre/xlsx"

export const cellText = (value: CellValue | undefined): string =>
  value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$/, "") : valueText(value)

export const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  // Bytes are no words.
  if (value instanceof Uint8Array) return ""
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
