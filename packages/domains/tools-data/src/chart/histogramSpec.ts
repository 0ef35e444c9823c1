/** Vega-Lite specification of histograms: adjacent bars, one panel per group. */
import type { JsonObject } from "@planloom/plugin/effect"
import { numberAxis, type Field } from "./Field.ts"
import { HEIGHT_PX, WIDTH_PX } from "./panels.ts"
import { palette } from "./theme.ts"

export interface HistogramDrawing {
  readonly title: string
  readonly whole: boolean
  readonly from: Field
  readonly to: Field
  /** Counts; with panels the share within each group, so that groups of different size are comparable. */
  readonly size: Field
  readonly facet: Field | undefined
  readonly panels: number
  readonly largest: { readonly x: number; readonly y: number }
}

export const histogramSpec = (drawing: HistogramDrawing): JsonObject => {
  const { from, to, size, facet, largest } = drawing
  const columns = drawing.panels === 1 ? 1 : 2
  const width =
    facet === undefined ? WIDTH_PX : Math.floor((WIDTH_PX - (columns - 1) * 50) / columns)
  const unit: JsonObject = {
    width,
    height: facet === undefined ? HEIGHT_PX : 130,
    mark: { type: "bar", color: palette[0], binSpacing: 1 },
    encoding: {
      x: {
        field: from.name,
        type: "quantitative",
        bin: "binned",
        scale: { nice: false, zero: false },
        axis: {
          ...numberAxis(drawing.title, drawing.whole, largest.x),
          grid: false,
          tickCount: facet === undefined ? 10 : 5,
          ...(drawing.whole ? { tickMinStep: 1 } : {}),
        },
      },
      x2: { field: to.name },
      y: {
        field: size.name,
        type: "quantitative",
        axis: {
          ...numberAxis(size.title, size.column.type === "integer", largest.y),
          ...(facet === undefined ? {} : { tickCount: 4 }),
        },
      },
    },
  }
  return facet === undefined
    ? unit
    : {
        facet: { field: facet.name, type: "nominal", header: { title: null } },
        columns,
        spacing: { row: 22, column: 20 },
        spec: unit,
      }
}
