/** Arguments and operations shared by the forecast tool and its chart. */
import * as Effect from "effect/Effect"
import type { ToolInvocation } from "@planloom/plugin/effect"
import type { Grain } from "@planloom/tables"
import { attempt } from "../DataFailed.ts"
import { levels } from "../table/Operation.ts"
import { seasonFor } from "../table/Season.ts"
import type { Table } from "../table/Table.ts"
import { MAX_STEPS } from "../table/operations/forecast.ts"
import { asSeries } from "./asSeries.ts"
import { aggParam, seriesParams } from "./params.ts"
import { seriesRequest } from "./seriesRequest.ts"

const LEVEL = 95

/** Default horizon per grain. */
const horizons: { readonly [grain in Grain]: number } = {
  hour: 24,
  day: 14,
  week: 13,
  month: 12,
  quarter: 4,
  year: 3,
}

const cycles: { readonly [grain in Grain]: string } = {
  hour: "day",
  day: "week",
  week: "year",
  month: "year",
  quarter: "year",
  year: "year",
}

export const forecastParams = {
  type: "object",
  properties: {
    column: {
      type: "string",
      role: "column",
      description: "The number to forecast; the last number column unless given.",
    },
    horizon: {
      type: "integer",
      minimum: 1,
      maximum: MAX_STEPS,
      role: "horizon",
      description: "How many units of time ahead; one year of months unless given.",
    },
    ...seriesParams({
      group_by: "One forecast for each group of these columns.",
      time_grain: "The unit of time; that of the table unless given.",
    }),
    agg: aggParam,
    season: {
      type: "integer",
      minimum: 1,
      maximum: MAX_STEPS,
      description:
        "Points in one season, 1 for none; 12 for months, 4 for quarters, 7 for days … once two seasons were seen.",
    },
    level: {
      type: "integer",
      enum: [...levels],
      default: LEVEL,
      description: "Percent of outcomes the interval should hold.",
    },
  },
  additionalProperties: false,
}

const whole = (invocation: ToolInvocation, name: string): number | undefined => {
  const value = invocation.params[name]
  return typeof value === "number" ? value : undefined
}

/** Operations and texts of the requested forecast. */
export const forecasting = Effect.fnUntraced(function* (
  table: Table,
  invocation: ToolInvocation,
  all: boolean,
) {
  const wish = yield* attempt(() => seriesRequest(table, invocation))
  const series = yield* asSeries(table, { ...wish, regular: true })
  const { grain } = series
  const season = whole(invocation, "season") ?? seasonFor(grain, series.first, series.last)
  const horizon = whole(invocation, "horizon") ?? horizons[grain]
  const level = whole(invocation, "level") ?? LEVEL
  const [column] = wish.columns
  const usual = season === seasonFor(grain, series.first, series.last)
  const before = usual ? `a ${cycles[grain]}` : `${season} ${grain}s`
  const method =
    season === 1
      ? `Naive: every ${grain} ahead is expected to be as the last one was`
      : `Seasonal naive: each ${grain} is expected to be as it was ${before} before`
  return {
    column,
    time: wish.time,
    groups: wish.groups,
    grain,
    raws: [
      ...series.raws,
      {
        op: "forecast",
        column: column.name,
        time: { column: wish.time.name, grain },
        group_by: wish.groups.map(({ name }) => name),
        season,
        horizon,
        level,
        all,
      },
    ],
    notes: [
      `${method}. The interval should hold ${level} % of outcomes: ± z · σ · √(k + 1), σ the root mean square of the changes from season to season, k the seasons skipped (Hyndman & Athanasopoulos 2021, 5.2 and 5.5). Growth is not continued.`,
      ...series.notes,
    ],
  }
})
