/**
 * Seasonal naive forecast: repeats the last season. With season m, the
 * forecast for h steps after the last of T points is y[T + h − m(k + 1)], k = ⌊(h − 1) / m⌋; its
 * interval is ± z · σ · √(k + 1), where σ² is the mean of (y[t] − y[t − m])² (Hyndman & Athanasopoulos,
 * "Forecasting: Principles and Practice", 3rd ed. 2021, sections 5.2 and 5.5). Season 1 is the naive
 * forecast, the last value with an interval that grows with √h. A missing value is replaced
 * by the last known one at the same position of the season.
 */
import { isJsonObject } from "@planloom/plugin/effect"
import { grains } from "@planloom/tables"
import type { Grain } from "@planloom/tables"
import { refused } from "../../DataFailed.ts"
import { levels } from "../Operation.ts"
import type { Forecast, Level } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import type { Column } from "../Table.ts"
import { freeName, readChoice, readColumn, readColumns, readWhole, requireNumber } from "../read.ts"
import { identifier, number } from "../sql.ts"

export const MAX_STEPS = 1000

/** Quantiles of the normal distribution for two-sided intervals. */
const z: { readonly [level in Level]: number } = {
  80: 1.2815515655446004,
  90: 1.6448536269514722,
  95: 1.959963984540054,
  99: 2.5758293035489004,
}

const intervals: { readonly [grain in Grain]: string } = {
  hour: "INTERVAL 1 HOUR",
  day: "INTERVAL 1 DAY",
  week: "INTERVAL 7 DAY",
  month: "INTERVAL 1 MONTH",
  quarter: "INTERVAL 3 MONTH",
  year: "INTERVAL 1 YEAR",
}

const added = (op: Forecast, columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const taken = [op.time.column, ...op.group_by, ...(op.all ? [op.column] : [])]
  const name = (wanted: string): string => {
    const free = freeName(wanted, taken)
    taken.push(free)
    return free
  }
  const label = columns.find((column) => column.name === op.column)?.label ?? op.column
  return [
    { name: name("forecast"), type: "number", label: `forecast of ${label}` },
    { name: name("low"), type: "number", label: `lower end (${op.level} %)` },
    { name: name("high"), type: "number", label: `upper end (${op.level} %)` },
  ]
}

export const forecast: OperationKind<Forecast> = {
  reduces: true,
  decode: (raw, columns) => {
    const column = readColumn(raw["column"], columns, "column")
    requireNumber(column, "a forecast needs numbers")
    const time = isJsonObject(raw["time"]) ? raw["time"] : {}
    const dates = readColumn(time["column"], columns, "time_column")
    if (dates.type !== "date") throw refused(`${JSON.stringify(dates.name)} holds no dates`)
    const level = levels.find((one) => one === raw["level"])
    if (level === undefined) throw refused(`level must be one of ${levels.join(", ")}`)
    return {
      op: "forecast",
      column: column.name,
      time: { column: dates.name, grain: readChoice(time["grain"], grains, "time_grain") },
      group_by: readColumns(raw["group_by"], columns, "group_by").map(({ name }) => name),
      season: readWhole(raw["season"], "season", 1, MAX_STEPS),
      horizon: readWhole(raw["horizon"], "horizon", 1, MAX_STEPS),
      level,
      all: raw["all"] === true,
    }
  },
  columns: (op, columns) => {
    const own = (name: string): Column => columns.find((column) => column.name === name)!
    return [
      { ...own(op.time.column), grain: op.time.grain },
      ...op.group_by.map(own),
      ...(op.all ? [{ ...own(op.column), type: "number" as const }] : []),
      ...added(op, columns),
    ]
  },
  sql: (op, columns, from) => {
    const { grain } = op.time
    const step = intervals[grain]
    const [fit, low, high] = added(op, columns).map(({ name }) => identifier(name))
    const groups = op.group_by.map((_, index) => `g${index}`)
    const listed = groups.map((group) => `${group}, `).join("")
    const keys = op.group_by.map((name, index) => `${identifier(name)} AS g${index}, `).join("")
    const back = op.group_by.map((name, index) => `g${index} AS ${identifier(name)}`)
    const same = groups.map((group) => `a.${group} IS NOT DISTINCT FROM s.${group} AND `).join("")
    const within = (more: string): string => `PARTITION BY ${listed}${more}`
    const time = `CAST(date_trunc('${grain}', ${identifier(op.time.column)}) AS TIMESTAMP)`
    const value = `CAST(${identifier(op.column)} AS DOUBLE)`
    const relations = [
      `s AS (SELECT ${keys}${time} AS t, ${value} AS v FROM ${from} WHERE ${time} IS NOT NULL)`,
      `ends AS (SELECT min(t) AS lo, max(t) AS hi FROM s)`,
      // Every unit of time from the first point to the end of the forecast, with or without a value.
      `grid AS (SELECT t, row_number() OVER (ORDER BY t) - 1 AS i, t > hi AS ahead FROM (SELECT hi, unnest(generate_series(lo, hi + ${op.horizon} * ${step}, ${step})) AS t FROM ends))`,
      `a AS (SELECT * FROM (SELECT DISTINCT ${groups.length === 0 ? "1 AS one" : groups.join(", ")} FROM s) CROSS JOIN grid)`,
      `f AS (SELECT a.*, s.v, last_value(s.v IGNORE NULLS) OVER (${within(`i % ${op.season}`).replaceAll(/\bg(\d+)/g, "a.g$1")} ORDER BY i) AS f FROM a LEFT JOIN s ON ${same}a.t = s.t)`,
      `e AS (SELECT *, v - lag(v, ${op.season}) OVER (PARTITION BY ${listed}true ORDER BY i) AS d, count(*) FILTER (WHERE NOT ahead) OVER (PARTITION BY ${listed}true) AS n FROM f)`,
      `w AS (SELECT *, ${number(z[op.level])} * sqrt(avg(d * d) OVER (PARTITION BY ${listed}true)) * sqrt(greatest(0, i - n) // ${op.season} + 1) AS w FROM e)`,
    ]
    const shown = (sql: string): string => (op.all ? `CASE WHEN ahead THEN ${sql} END` : sql)
    const at = `CAST(t AS ${grain === "hour" ? "TIMESTAMP" : "DATE"}) AS ${identifier(op.time.column)}`
    const fields = [
      at,
      ...back,
      ...(op.all ? [`v AS ${identifier(op.column)}`] : []),
      `${shown("f")} AS ${fit}`,
      `${shown("f - w")} AS ${low}`,
      `${shown("f + w")} AS ${high}`,
    ]
    return `SELECT * FROM (WITH ${relations.join(", ")} SELECT ${fields.join(", ")} FROM w${op.all ? "" : " WHERE ahead"} ORDER BY ${["t", ...groups].join(", ")})`
  },
}
