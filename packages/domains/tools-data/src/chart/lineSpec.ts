/** Vega-Lite specification of line charts. */
import type { JsonObject } from "@planloom/plugin/effect"
import { isNumeric } from "../table/Table.ts"
import { byColor } from "./byColor.ts"
import { areYears, dateAxis, numberAxis, yearAxis, type Field } from "./Field.ts"
import { panels } from "./panels.ts"
import type { Drawing } from "./plot.ts"
import { dashes, palette } from "./theme.ts"

/** Maximum points per line with visible markers. */
const MAX_POINTS = 40

const numbersOf = (drawing: Drawing, field: Field): ReadonlyArray<number> =>
  drawing.rows.flatMap((row) => (row[field.name] === null ? [] : [Number(row[field.name])]))

/** The axis includes zero unless the values are far above it, which would flatten the line. */
const wantsZero = (numbers: ReadonlyArray<number>): boolean => {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  return low <= 0 || low < high * 0.55
}

export const lineSpec = (drawing: Drawing): { kind: string; spec: JsonObject } => {
  const { x, color } = drawing
  const marks = new Set(drawing.rows.map((row) => row[x.name])).size
  const isOfYears = areYears(
    x.column,
    drawing.rows.map((row) => row[x.name]),
  )
  const colors =
    color === undefined
      ? []
      : [...new Set(drawing.rows.map((row) => String(row[color.name])))].toSorted()
  const unit = (y: Field, size: { width: number; height: number }): JsonObject => {
    const numbers = numbersOf(drawing, y)
    const largest = numbers.length === 0 ? 0 : Math.max(...numbers.map(Math.abs))
    const average = drawing.smooth[drawing.y.indexOf(y)]
    const line: JsonObject = {
      mark: {
        type: "line",
        strokeWidth: average === undefined ? 2 : 1.25,
        ...(average === undefined ? {} : { opacity: 0.45 }),
        strokeJoin: "round",
        ...(marks <= MAX_POINTS
          ? { point: { size: marks === 1 ? 70 : 24, filled: true, strokeDash: [1, 0] } }
          : {}),
        ...(color === undefined ? { color: palette[0] } : {}),
      },
      encoding: {
        x:
          x.column.type === "date"
            ? {
                field: x.name,
                type: "temporal",
                scale: { type: "utc" },
                axis: { ...dateAxis(x.column, x.title, marks), grid: false } as JsonObject,
              }
            : {
                field: x.name,
                type: isNumeric(x.column) ? "quantitative" : "ordinal",
                sort: null,
                axis: {
                  ...(isOfYears ? yearAxis(x.title) : { title: x.title }),
                  grid: false,
                  labelOverlap: "greedy",
                },
                ...(isOfYears ? { scale: { zero: false, nice: false } } : {}),
              },
        y: {
          field: y.name,
          type: "quantitative",
          scale: { zero: wantsZero(numbers), nice: true },
          axis: numberAxis(y.title, y.column.type === "integer", largest) as JsonObject,
        },
        ...byColor(color, colors, { symbolType: "stroke", symbolSize: 320, symbolOpacity: 1 }),
        ...(color === undefined
          ? {}
          : {
              strokeDash: {
                field: color.name,
                type: "nominal",
                title: color.title,
                scale: { domain: colors, range: dashes.slice(0, colors.length) },
              },
            }),
      },
    }
    if (average === undefined) return { ...size, ...line }
    const { y: up, ...rest } = line.encoding as { readonly y: JsonObject }
    const bold: JsonObject = {
      mark: {
        type: "line",
        strokeWidth: 3,
        strokeJoin: "round",
        ...(color === undefined ? { color: palette[0] } : {}),
      },
      encoding: { ...rest, y: { ...up, field: average.name } },
    }
    return { ...size, layer: [line, bold] }
  }
  return { kind: "Line chart", spec: panels(drawing, unit) }
}
