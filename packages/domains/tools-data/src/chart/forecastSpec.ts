/** Vega-Lite specification of forecasts: actual values, forecast and prediction interval. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { Column } from "../table/Table.ts"
import { dateAxis, numberAxis } from "./Field.ts"
import { HEIGHT_PX, WIDTH_PX } from "./panels.ts"
import { palette } from "./theme.ts"

/** Rows have `t` (epoch milliseconds), `group`, and `value` with `kind`, or `low` and `high`. */
export interface ForecastDrawing {
  readonly time: Column
  readonly timeTitle: string
  readonly valueTitle: string
  /** Panel names; one empty name without panels. */
  readonly panels: ReadonlyArray<string>
  readonly points: number
  readonly largest: number
  readonly low: number
  readonly level: number
}

export const forecastSpec = (drawing: ForecastDrawing): JsonObject => {
  const { time, panels } = drawing
  const single = panels.length === 1
  const columns = single ? 1 : 2
  const width = single ? WIDTH_PX : Math.floor((WIDTH_PX - 50) / 2)
  const kinds = { domain: ["actual", "forecast"], range: [palette[0], palette[1]] }
  const y = (field: string): JsonObject => ({
    field,
    type: "quantitative",
    scale: { zero: drawing.low <= 0 || drawing.low < drawing.largest * 0.55, nice: true },
    axis: numberAxis(drawing.valueTitle, false, drawing.largest) as JsonObject,
  })
  const unit: JsonObject = {
    width,
    height: single ? HEIGHT_PX : 150,
    encoding: {
      x: {
        field: "t",
        type: "temporal",
        scale: { type: "utc" },
        axis: {
          ...dateAxis(time, drawing.timeTitle, single ? drawing.points : 100),
          grid: false,
        } as JsonObject,
      },
    },
    layer: [
      {
        transform: [{ filter: "isValid(datum.low)" }],
        mark: { type: "area", color: palette[1], opacity: 0.18 },
        encoding: { y: y("low"), y2: { field: "high" } },
      },
      {
        transform: [{ filter: "isValid(datum.kind)" }],
        mark: { type: "line", strokeWidth: 2, strokeJoin: "round" },
        encoding: {
          y: y("value"),
          color: {
            field: "kind",
            type: "nominal",
            title: null,
            scale: kinds,
            legend: { symbolType: "stroke", symbolSize: 320 },
          },
          strokeDash: {
            field: "kind",
            type: "nominal",
            title: null,
            scale: {
              domain: kinds.domain,
              range: [
                [1, 0],
                [6, 3],
              ],
            },
          },
        },
      },
    ],
  }
  return single
    ? unit
    : {
        facet: { field: "group", type: "nominal", header: { title: null }, sort: panels },
        columns,
        spacing: { row: 22, column: 20 },
        spec: unit,
      }
}
