/**
 * Vega-Lite specification of heatmaps. Cells are translucent, paler near zero, so that they read the same on
 * light and dark pages; negative values have a separate color.
 */
import type { JsonObject } from "@planloom/plugin/effect"
import { WIDTH_PX } from "./panels.ts"
import { palette } from "./theme.ts"

export interface Cells {
  readonly x: { readonly title: string | null; readonly order: ReadonlyArray<string> }
  readonly y: { readonly title: string | null; readonly order: ReadonlyArray<string> }
  /** Title of the legend; no legend if undefined. */
  readonly value: string | null | undefined
  /** Magnitude painted opaque; rows have `x`, `y`, `value`. */
  readonly strongest: number
  /** Magnitude painted palest. */
  readonly weakest: number
  /** d3-format of the numbers in the cells. */
  readonly format: string
}

const CELL = { least: 18, most: 90, height: 32 }
/** Minimum cell width in pixels for a number label. */
const MIN_LABELED_PX = 38
/** Characters of 11 px that fit a cell. */
const wide = (width: number): number => Math.floor(width / 6.5)

const label = (format: string, strongest: number): string =>
  strongest >= 10_000
    ? "datum.value === null ? '' : replace(format(datum.value, '.3~s'), 'G', 'B')"
    : `datum.value === null ? '' : format(datum.value, '${format}')`

export const cells = (drawing: Cells): JsonObject => {
  const { x, y, value, strongest, weakest } = drawing
  const width = Math.min(CELL.most, Math.max(CELL.least, Math.floor(WIDTH_PX / x.order.length)))
  const longest = Math.max(...x.order.map((name) => name.length))
  const axis = { grid: false, ticks: false, domain: false, labelOverlap: false }
  const signs = { domain: [1, -1], range: [palette[0], palette[1]] }
  const shared: JsonObject = {
    x: {
      field: "x",
      type: "nominal",
      sort: x.order,
      axis: { ...axis, title: x.title, labelAngle: longest > wide(width) ? -45 : 0 },
    },
    y: { field: "y", type: "nominal", sort: y.order, axis: { ...axis, title: y.title } },
  }
  return {
    width: width * x.order.length,
    height: CELL.height * y.order.length,
    encoding: shared,
    layer: [
      {
        transform: [
          { filter: "datum.value !== null" },
          { calculate: "datum.value < 0 ? -1 : 1", as: "sign" },
          { calculate: "abs(datum.value)", as: "size" },
        ],
        mark: { type: "rect", cornerRadius: 2 },
        encoding: {
          color: { field: "sign", type: "nominal", scale: signs, legend: null },
          opacity: {
            field: "size",
            type: "quantitative",
            scale: { domain: [weakest, strongest], range: [0.08, 0.78], clamp: true },
            legend:
              value === undefined
                ? null
                : {
                    title: value,
                    symbolType: "square",
                    symbolFillColor: palette[0],
                    symbolStrokeWidth: 0,
                    format: strongest >= 1000 ? "~s" : ",.3~r",
                  },
          },
        },
      },
      ...(width >= MIN_LABELED_PX
        ? [
            {
              transform: [{ calculate: label(drawing.format, strongest), as: "label" }],
              mark: { type: "text", color: "currentColor", fontSize: 11 },
              encoding: { text: { field: "label" } },
            },
          ]
        : []),
    ],
  }
}
