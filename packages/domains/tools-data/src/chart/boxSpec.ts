/** Vega-Lite specification of box plots: horizontal boxes, highest median first, outliers as dots. */
import type { JsonObject } from "@planloom/plugin/effect"
import { numberAxis } from "./Field.ts"
import { WIDTH_PX } from "./panels.ts"
import { palette } from "./theme.ts"

/** Fields of a box row; a dot has `group`, `value` and `dot`. */
export const boxFields = ["group", "low", "p25", "median", "p75", "high"] as const

export interface BoxDrawing {
  readonly value: string
  readonly group: string
  /** Group names from top to bottom. */
  readonly order: ReadonlyArray<string>
  readonly largest: number
}

export const boxSpec = ({ value, group, order, largest }: BoxDrawing): JsonObject => {
  const bare = order.length === 1 && group === ""
  const y: JsonObject = {
    field: "group",
    type: "nominal",
    sort: order,
    scale: { paddingInner: 0.35, paddingOuter: 0.25 },
    axis: bare ? null : { title: group, grid: false, ticks: false, labelOverlap: false },
  }
  const x = (field: string): JsonObject => ({
    field,
    type: "quantitative",
    scale: { zero: false, nice: true },
    axis: numberAxis(value, false, largest) as JsonObject,
  })
  const boxes = { filter: "datum.dot !== true" }
  return {
    width: WIDTH_PX,
    height: Math.max(70, order.length * 42),
    encoding: { y },
    layer: [
      {
        transform: [{ filter: "datum.dot === true" }],
        mark: { type: "point", filled: false, size: 18, opacity: 0.55, color: palette[0] },
        encoding: { x: x("value") },
      },
      {
        transform: [boxes],
        mark: { type: "rule", color: "currentColor", opacity: 0.65 },
        encoding: { x: x("low"), x2: { field: "high" } },
      },
      {
        transform: [boxes],
        mark: {
          type: "bar",
          color: palette[0],
          fillOpacity: 0.45,
          stroke: palette[0],
          strokeWidth: 1.5,
        },
        encoding: { x: x("p25"), x2: { field: "p75" } },
      },
      {
        transform: [boxes],
        mark: { type: "tick", color: "currentColor", thickness: 2.5, bandSize: 24, opacity: 1 },
        encoding: { x: x("median") },
      },
    ],
  }
}
