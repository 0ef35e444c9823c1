/**
 * Marks values far from the expected value of their series.
 *
 * Score: the robust z-score r / s of the residual r = value − expected, centred on its median, with
 * s = max(1.4826 · MAD, 1.2533 · MeanAD): the modified z-score of Iglewicz & Hoaglin, "How to Detect
 * and Handle Outliers" (ASQC 1993), whose cut-off is 3.5; their fallback for MAD = 0, the mean
 * absolute deviation, is used as a floor, because residuals of a fitted season are too small.
 *
 * Expected, without time: the median of the series. With time: weekday effect, then slope and effect
 * of the month or quarter, then a rolling median of what is left. The median and MAD in place of mean
 * and deviation after taking out season and level follow Hochenbaum, Vallis & Kejariwal, "Automatic
 * Anomaly Detection in the Cloud Via Statistical Learning" (arXiv 1704.07706, 2017); the slope is the
 * median of year-on-year differences, after Hirsch, Slack & Smith, "Techniques of Trend Analysis for
 * Monthly Water Quality Data" (Water Resources Research 18, 1982). Where all values of a series are
 * above zero all of this is done on logarithms, because effects then multiply.
 */
import { isJsonObject } from "@planloom/plugin/effect"
import { refused } from "../../DataFailed.ts"
import { seasons, type Anomalies } from "../Operation.ts"
import type { OperationKind } from "../OperationKind.ts"
import {
  freeName,
  readChoice,
  readColumn,
  readColumns,
  readList,
  readWhole,
  requireNumber,
} from "../read.ts"
import { identifier, number, text } from "../sql.ts"
import type { Column } from "../Table.ts"

/** Rows on each side of the rolling median that removes the level before weekdays are compared. */
const WEEKDAY_WINDOW = 10

const added = (op: Anomalies, columns: ReadonlyArray<Column>): ReadonlyArray<Column> => {
  const taken = columns.map(({ name }) => name)
  const name = (wanted: string): string => {
    const free = freeName(wanted, taken)
    taken.push(free)
    return free
  }
  return [
    { name: name("expected"), type: "number", label: `expected ${op.column}` },
    { name: name("deviation_percent"), type: "number", label: "deviation in %" },
    { name: name("score"), type: "number" },
    ...(op.all ? [{ name: name("anomaly"), type: "boolean" as const }] : []),
  ]
}

/** Relations of the calculation, each reading the previous one; inner columns are `g0…`, `t`, `v`. */
const steps = (
  op: Anomalies,
  from: string,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<string> => {
  const groups = op.group_by.map((_, index) => `g${index}`)
  const over = (more: ReadonlyArray<string> = []): string => {
    const keys = [...groups, ...more]
    return keys.length === 0 ? "" : `PARTITION BY ${keys.join(", ")}`
  }
  const rolling = (value: string, window: number): string =>
    `median(${value}) OVER (${over()} ORDER BY t ROWS BETWEEN ${window} PRECEDING AND ${window} FOLLOWING)`
  const row = `{${columns.map(({ name }) => `${text(name)}: ${identifier(name)}`).join(", ")}}`
  const keys = op.group_by.map((name, index) => `${identifier(name)} AS g${index}`)
  const time = op.time === null ? "NULL" : `CAST(${identifier(op.time.column)} AS TIMESTAMP)`
  const value = `CAST(${identifier(op.column)} AS DOUBLE)`
  const start = [
    `SELECT ${[`${row} AS whole`, ...keys, `${time} AS t`, `${value} AS v`].join(", ")} FROM ${from} WHERE ${value} IS NOT NULL${op.time === null ? "" : ` AND ${time} IS NOT NULL`}`,
  ]
  if (op.time === null)
    return [
      ...start,
      `SELECT *, v AS y, false AS logs, 0.0 AS known, median(v) OVER (${over()}) AS level FROM a0`,
    ]
  const { season, window } = op.time
  const weekday = season.includes("weekday")
  const yearly = season.find((each) => each !== "weekday")
  const differences = `SELECT ${[...groups.map((group) => `x.${group}`), "median(x.u - p.u) AS slope"].join(", ")} FROM a3 AS x JOIN a3 AS p ON ${[...groups.map((group) => `x.${group} IS NOT DISTINCT FROM p.${group}`), `p.t = ${yearly === "month_of_day" ? "x.t - INTERVAL 364 DAY" : "x.t - INTERVAL 1 YEAR"}`].join(" AND ")}${groups.length === 0 ? "" : ` GROUP BY ${groups.map((_, index) => index + 1).join(", ")}`}`
  const joined = groups.length === 0 ? "CROSS JOIN" : `LEFT JOIN`
  const on =
    groups.length === 0
      ? ""
      : ` ON ${groups.map((group) => `a3.${group} IS NOT DISTINCT FROM d.${group}`).join(" AND ")}`
  const part = yearly === "quarter" ? "quarter(t)" : "month(t)"
  return [
    ...start,
    `SELECT *, min(v) OVER (${over()}) > 0 AS logs, CASE WHEN logs THEN ln(v) ELSE v END AS y FROM a0`,
    `SELECT *, ${weekday ? `y - ${rolling("y", WEEKDAY_WINDOW)}` : "0.0"} AS w FROM a1`,
    `SELECT *, ${weekday ? `median(w) OVER (${over(["dayofweek(t)"])})` : "0.0"} AS s1, y - s1 AS u, epoch(t) / 31557600.0 AS years FROM a2`,
    yearly === undefined
      ? "SELECT *, 0.0 AS trend FROM a3"
      : `SELECT a3.*, coalesce(d.slope, 0) * years AS trend FROM a3 ${joined} (${differences}) AS d${on}`,
    `SELECT *, ${yearly === undefined ? "0.0" : `median(u - trend) OVER (${over([part])})`} AS s2, s1 + trend + s2 AS known FROM a4`,
    `SELECT *, ${rolling("y - known", window)} AS level FROM a5`,
  ]
}

const scored = (over: string, last: string): ReadonlyArray<string> => [
  `SELECT *, level + known AS fit, y - fit AS r FROM ${last}`,
  `SELECT *, r - median(r) OVER (${over}) AS c FROM b0`,
  `SELECT *, greatest(1.4826 * median(abs(c)) OVER (${over}), 1.2533 * avg(abs(c)) OVER (${over})) AS s FROM b1`,
  // Rounding errors of a perfectly regular series are not residuals.
  `SELECT *, CASE WHEN logs THEN exp(fit) ELSE fit END AS e, CASE WHEN s > 1e-9 * greatest(abs(fit), 1e-9) THEN c / s ELSE 0 END AS z FROM b2`,
]

export const anomalies: OperationKind<Anomalies> = {
  reduces: true,
  decode: (raw, columns) => {
    const column = readColumn(raw["column"], columns, "column")
    requireNumber(column, "anomalies need numbers")
    const threshold = raw["threshold"]
    if (typeof threshold !== "number" || !(threshold > 0))
      throw refused("threshold must be a number above zero")
    const time = isJsonObject(raw["time"]) ? raw["time"] : null
    const timeColumn = time === null ? null : readColumn(time["column"], columns, "time_column")
    if (timeColumn !== null && timeColumn.type !== "date")
      throw refused(`${JSON.stringify(timeColumn.name)} holds no dates`)
    return {
      op: "anomalies",
      column: column.name,
      group_by: readColumns(raw["group_by"], columns, "group_by").map(({ name }) => name),
      time:
        time === null || timeColumn === null
          ? null
          : {
              column: timeColumn.name,
              season: readList(time["season"], "season").map((each) =>
                readChoice(each, seasons, "season"),
              ),
              window: readWhole(time["window"], "window", 1, 10_000),
            },
      threshold,
      all: raw["all"] === true,
    }
  },
  columns: (op, columns) => [...columns, ...added(op, columns)],
  sql: (op, columns, from) => {
    const [expected, deviation, score, flag] = added(op, columns).map(({ name }) =>
      identifier(name),
    )
    const first = steps(op, from, columns)
    const groups = op.group_by.map((_, index) => `g${index}`)
    const over = groups.length === 0 ? "" : `PARTITION BY ${groups.join(", ")}`
    const rest = scored(over, `a${first.length - 1}`)
    const beyond = `abs(z) > ${number(op.threshold)}`
    const relations = [
      ...first.map((sql, index) => `a${index} AS (${sql})`),
      ...rest.map((sql, index) => `b${index} AS (${sql})`),
    ]
    const order = op.all ? [...groups, "t"].join(", ") : ["abs(z) DESC", ...groups, "t"].join(", ")
    return `SELECT * FROM (WITH ${relations.join(", ")} SELECT unnest(whole), e AS ${expected}, 100 * (v - e) / nullif(abs(e), 0) AS ${deviation}, z AS ${score}${flag === undefined ? "" : `, ${beyond} AS ${flag}`} FROM b3${op.all ? "" : ` WHERE ${beyond}`} ORDER BY ${order})`
  },
}
