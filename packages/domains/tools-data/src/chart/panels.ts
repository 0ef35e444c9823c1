/** Lays out panels, one per number or group, so that different quantities never share a scale. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Drawing } from "./plot.ts"
import type { Field } from "./Field.ts"

/** Width of a whole chart in pixels: its text can still be read when a phone shows it at 350. */
export const WIDTH_PX = 470
export const HEIGHT_PX = 280

/**
 * Lays out a unit: `unit(y)` draws one number. Several numbers are stacked vertically, groups
 * are arranged in a grid.
 */
export const panels = (
  drawing: Drawing,
  unit: (y: Field, size: { readonly width: number; readonly height: number }) => JsonObject,
): JsonObject => {
  const { facet, y } = drawing
  if (facet === undefined) {
    if (y.length === 1) return unit(y[0]!, { width: WIDTH_PX, height: HEIGHT_PX })
    return {
      vconcat: y.map((field) => unit(field, { width: WIDTH_PX, height: HEIGHT_PX * 0.6 })),
      spacing: 18,
    }
  }
  const count = new Set(drawing.rows.map((row) => row[facet.name])).size
  const columns = Math.min(count, 2)
  const width = Math.floor((WIDTH_PX - (columns - 1) * 40) / columns)
  const grid = (field: Field): JsonObject => ({
    facet: {
      field: facet.name,
      type: "nominal",
      header: { title: null },
    },
    columns,
    spacing: { row: 16, column: 14 },
    spec: unit(field, { width, height: Math.max(110, Math.floor(width * 0.6)) }),
  })
  return y.length === 1 ? grid(y[0]!) : { vconcat: y.map(grid), spacing: 24 }
}
