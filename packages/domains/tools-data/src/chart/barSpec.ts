/** Vega-Lite specification of bar charts: horizontal bars for names, vertical bars for time. */
import type { JsonObject } from "@planloom/plugin/effect"
import { byColor } from "./byColor.ts"
import { dateFormat, numberAxis, type Field } from "./Field.ts"
import { panels } from "./panels.ts"
import type { Drawing } from "./plot.ts"
import { palette } from "./theme.ts"

/** Pixels per horizontal bar, including the gap. */
const BAR_PX = 26
/** Maximum number of bars labeled with their value. */
const MAX_LABELS = 24
const MAX_VERTICAL_LABELS = 14

/** Pixels of a letter of a label, and of the longest label. */
const LETTER_PX = 6.5
const MAX_LABEL_PX = 190
/** Least width of the bars of a whole chart. */
const MIN_BARS_PX = 280

/** The names beside the bars are part of the width. */
const besideNames = (width: number, names: ReadonlyArray<unknown>): number => {
  const longest = Math.max(0, ...names.map((name) => String(name).length))
  const rest = width - Math.min(MAX_LABEL_PX, longest * LETTER_PX)
  return Math.max(Math.min(width, MIN_BARS_PX), Math.floor(rest))
}

const valuesOf = (drawing: Drawing, field: Field): ReadonlyArray<unknown> => [
  ...new Set(drawing.rows.map((row) => row[field.name])),
]

/** Largest first; times and numbers in natural order. */
const orderOf = (drawing: Drawing, y: Field): ReadonlyArray<unknown> => {
  const { x } = drawing
  const all = valuesOf(drawing, x)
  if (x.column.type !== "string" && x.column.type !== "boolean")
    return all.toSorted((a, b) => Number(a) - Number(b))
  const weight = new Map<unknown, number>()
  for (const row of drawing.rows)
    weight.set(row[x.name], (weight.get(row[x.name]) ?? 0) + Number(row[y.name] ?? 0))
  return all.toSorted((a, b) => weight.get(b)! - weight.get(a)!)
}

const extent = (drawing: Drawing, y: Field): number =>
  Math.max(0, ...drawing.rows.map((row) => Math.abs(Number(row[y.name] ?? 0))))

/** Number format with enough digits to distinguish values of this size. */
const labelExpr = (field: string, largest: number): string =>
  largest >= 10_000
    ? `replace(format(datum['${field}'], '.3~s'), 'G', 'B')`
    : `format(datum['${field}'], '${largest >= 100 ? ",.0f" : ",.3~r"}')`

export const barSpec =
  (mode: "grouped" | "stacked") =>
  (drawing: Drawing): { kind: string; spec: JsonObject } => {
    const { x, color } = drawing
    const lying = x.column.type === "string" || x.column.type === "boolean"
    const colors =
      color === undefined
        ? []
        : [...new Set(drawing.rows.map((row) => String(row[color.name])))].toSorted()
    const unit = (y: Field, size: { width: number; height: number }): JsonObject => {
      const order = orderOf(drawing, y)
      const largest = extent(drawing, y)
      const perGroup = color === undefined || mode === "stacked" ? 1 : colors.length
      const format = dateFormat(x.column) ?? "%d %b %Y"
      const category = {
        field: x.name,
        type: x.column.type === "date" || !lying ? "ordinal" : "nominal",
        sort: order as never,
        scale: { paddingInner: perGroup > 1 ? 0.25 : 0.22 },
        axis: {
          title: x.title,
          grid: false,
          ticks: false,
          domain: !lying,
          labelOverlap: lying ? false : "greedy",
          ...(x.column.type === "date" ? { labelExpr: `utcFormat(datum.value, '${format}')` } : {}),
          ...(lying ? {} : { labelAngle: order.length > 14 ? -45 : 0 }),
        },
      }
      const labelled =
        perGroup * order.length <= (lying ? MAX_LABELS : MAX_VERTICAL_LABELS) &&
        (color === undefined || mode === "grouped")
      const positive = drawing.rows.every((row) => Number(row[y.name] ?? 0) >= 0)
      const value = {
        field: y.name,
        type: "quantitative",
        // Room for the longest bar's label.
        scale: {
          nice: true,
          ...(labelled && positive ? { domainMax: largest * (lying ? 1.12 : 1.06) } : {}),
        },
        stack: color !== undefined && mode === "stacked" ? "zero" : null,
        axis: numberAxis(y.title, y.column.type === "integer", largest) as JsonObject,
      }
      const shared = {
        [lying ? "y" : "x"]: category,
        [lying ? "x" : "y"]: value,
        ...(color === undefined || mode === "stacked"
          ? {}
          : {
              [lying ? "yOffset" : "xOffset"]: { field: color.name, type: "nominal", sort: colors },
            }),
      } as JsonObject
      const bars: JsonObject = {
        mark: {
          type: "bar",
          cornerRadiusEnd: 2,
          ...(color === undefined ? { color: palette[0] } : {}),
        },
        encoding: byColor(color, colors),
      }
      const labels: JsonObject = {
        transform: [{ calculate: labelExpr(y.name, largest), as: "label" }],
        mark: {
          type: "text",
          color: "currentColor",
          fontSize: 11,
          opacity: 0.85,
          ...(lying ? { align: "left", dx: 4 } : { baseline: "bottom", dy: -3 }),
        },
        encoding: { text: { field: "label" } },
      }
      return {
        ...size,
        ...(lying
          ? {
              width: besideNames(size.width, order),
              height: Math.max(60, order.length * BAR_PX * Math.max(1, perGroup * 0.68)),
            }
          : {}),
        encoding: shared,
        layer: labelled ? [bars, labels] : [bars],
      }
    }
    return {
      kind: mode === "stacked" ? "Stacked bar chart" : "Bar chart",
      spec: panels(drawing, unit),
    }
  }
