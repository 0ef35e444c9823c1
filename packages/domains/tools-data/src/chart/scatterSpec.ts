/** Vega-Lite specification of scatter plots: translucent dots and the line of best fit. */
import type { JsonObject } from "@planloom/plugin/effect"
import { byColor } from "./byColor.ts"
import { areYears, numberAxis, yearAxis, type Field } from "./Field.ts"
import { WIDTH_PX } from "./panels.ts"
import { palette } from "./theme.ts"

export interface ScatterDrawing {
  readonly x: Field
  readonly y: Field
  readonly color: Field | undefined
  readonly colors: ReadonlyArray<string>
  readonly rows: ReadonlyArray<JsonObject>
  /** Ends of the fitted line, in the rows' units; rows marked `line`. */
  readonly fitted: boolean
}

/** Up to this number, dots are larger and more opaque. */
const dot = (count: number): { size: number; opacity: number } =>
  count <= 100
    ? { size: 42, opacity: 0.75 }
    : count <= 600
      ? { size: 26, opacity: 0.55 }
      : { size: 15, opacity: 0.35 }

const axisOf = (field: Field, rows: ReadonlyArray<JsonObject>): JsonObject => {
  const numbers = rows.map((row) => Number(row[field.name]))
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  return {
    field: field.name,
    type: "quantitative",
    scale: { zero: low <= 0 || low < high * 0.35, nice: true },
    axis: (areYears(field.column, numbers)
      ? yearAxis(field.title)
      : numberAxis(
          field.title,
          field.column.type === "integer",
          Math.max(Math.abs(low), Math.abs(high)),
        )) as JsonObject,
  }
}

export const scatterSpec = (drawing: ScatterDrawing): JsonObject => {
  const { x, y, color, colors, rows } = drawing
  return {
    width: WIDTH_PX,
    height: 380,
    encoding: { x: axisOf(x, rows), y: axisOf(y, rows) },
    layer: [
      {
        transform: [{ filter: "datum.line !== true" }],
        mark: {
          type: "point",
          filled: true,
          ...dot(rows.length),
          ...(color === undefined ? { color: palette[0] } : {}),
        },
        encoding: byColor(color, colors, { symbolOpacity: 1 }),
      },
      ...(drawing.fitted
        ? [
            {
              transform: [{ filter: "datum.line === true" }],
              mark: {
                type: "line",
                color: "currentColor",
                strokeWidth: 1.75,
                opacity: 0.8,
                clip: true,
              },
              encoding: {},
            },
          ]
        : []),
    ],
  }
}
