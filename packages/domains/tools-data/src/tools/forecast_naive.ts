/** Forecasts a series by repeating its last season, with a prediction interval. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { attempt, type DataFailed } from "../DataFailed.ts"
import { extend, tableIn, type DataTool } from "../DataTool.ts"
import { titleOf } from "../table/wording.ts"
import { forecasting, forecastParams } from "./forecasting.ts"

export const forecast_naive: DataTool = {
  tool: {
    name: "forecast_naive",
    summary: "Forecasts the next values of a series as its last season was, with an interval.",
    capabilities: ["forecast", "forecasting", "prediction"],
    inputs: { table: "table" },
    params: {
      ...forecastParams,
      properties: {
        ...forecastParams.properties,
        show: {
          type: "string",
          enum: ["forecast", "all"],
          default: "forecast",
          description: "all keeps the series before its forecast.",
        },
      },
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const all = invocation.params["show"] === "all"
    const { raws, notes, column, grain } = yield* forecasting(table, invocation, all)
    return yield* extend(table, raws, {
      title: () => `Forecast of ${titleOf(column).toLowerCase()} per ${grain}`,
      notes,
    })
  }),
}
