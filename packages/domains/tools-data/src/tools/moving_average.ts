/** Smooths a series with a moving average. */
import * as Effect from "effect/Effect"
import type { Json } from "@planloom/plugin/effect"
import { attempt, type DataFailed } from "../DataFailed.ts"
import { extend, tableIn, type DataTool } from "../DataTool.ts"
import { MAX_POINTS } from "../table/operations/moving_average.ts"
import { titleOf } from "../table/wording.ts"
import { asSeries } from "./asSeries.ts"
import { aggParam, seriesParams } from "./params.ts"
import { seriesRequest } from "./seriesRequest.ts"

const WINDOW = 3

export const moving_average: DataTool = {
  tool: {
    name: "moving_average",
    summary:
      "Adds to a series the average of its last points, which shows the trend without the noise.",
    capabilities: ["moving_average", "rolling", "smoothing"],
    inputs: { table: "table" },
    params: {
      type: "object",
      properties: {
        column: {
          type: "string",
          role: "column",
          description: "The number to smooth; the last number column unless given.",
        },
        window: {
          type: "integer",
          minimum: 2,
          maximum: MAX_POINTS,
          default: WINDOW,
          role: "window",
          description: "How many points are averaged, the present one among them.",
        },
        ...seriesParams({
          group_by: "One series for each group of these columns.",
          time_grain: "The unit of time of one point; that of the table unless given.",
        }),
        agg: aggParam,
      },
      additionalProperties: false,
    },
    outputs: ["table"],
    group: "analyse",
  },
  run: Effect.fnUntraced(function* (invocation): Effect.fn.Return<Json, DataFailed> {
    const table = yield* attempt(() => tableIn(invocation))
    const wish = yield* attempt(() => seriesRequest(table, invocation))
    const [column] = wish.columns
    const window = Number(invocation.params["window"] ?? WINDOW)
    const series = yield* asSeries(table, wish)
    return yield* extend(
      table,
      [
        ...series.raws,
        {
          op: "moving_average",
          columns: [column.name],
          time: wish.time.name,
          group_by: wish.groups.map(({ name }) => name),
          window,
        },
      ],
      {
        title: (columns) => {
          const own = columns.find(({ name }) => name === column.name)!
          return `${titleOf(own)} per ${series.grain} with the average of ${window} ${series.grain}s`
        },
        notes: [
          `The average is of each ${series.grain} and the ${window - 1} before it; the first ${window - 1} have none.`,
          ...series.notes,
        ],
      },
    )
  }),
}
