/** Describes results of analyses in sentences: forecasts, correlations, distributions. */
import type { JsonObject } from "@planloom/plugin/effect"
import type { TableView, ViewColumn } from "@planloom/tables"
import { formatNumber } from "@planloom/stage-kit"
import type { Requirements } from "../requirements/Requirements.ts"
import { formatCell } from "./format.ts"
import type { Found } from "./Found.ts"

/** Maximum number of rows listed in an answer. */
const MAX_ROWS = 12

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const spoken = (name: unknown): string => String(name).replaceAll("_", " ")

const namesOf = (row: JsonObject, columns: ReadonlyArray<ViewColumn>): string =>
  columns.map(({ name, grain }) => formatCell(row[name], grain)).join(", ")

const rest = ({ total }: TableView, shown: number): ReadonlyArray<string> =>
  total > shown ? [`- … and ${formatNumber(total - shown)} more`] : []

/** The last three columns are forecast, lower and upper bound; the others are time and group. */
export const forecastLines = ({ table }: Found): ReadonlyArray<string> => {
  const [fit, low, high] = table.columns.slice(-3)
  if (fit === undefined || low === undefined || high === undefined) return []
  const ahead = table.rows.filter((row) => (row[fit.name] ?? null) !== null)
  const keys = table.columns
    .slice(0, -3)
    .filter(({ grain, type }) => grain !== undefined || type !== "number")
  const by = keys.map(({ grain, label }) => grain ?? label).join(" and ")
  const level = /\d+ %/.exec(low.label)?.[0]
  const lines = ahead.slice(0, MAX_ROWS).map((row) => {
    const known = (row[low.name] ?? null) !== null
    const span = known ? ` (${formatCell(row[low.name])} to ${formatCell(row[high.name])})` : ""
    return `- ${namesOf(row, keys)}: ${formatCell(row[fit.name])}${span}`
  })
  const brackets = level === undefined ? "" : `, in brackets where ${level} of outcomes should lie`
  return [`${capital(fit.label)} by ${by}${brackets}:`, ...lines, ...rest(table, MAX_ROWS)]
}

/** Sizes after Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988. */
const strength = (r: number): string => {
  const size = Math.abs(r)
  if (size < 0.1) return "practically no linear relation"
  const word = size < 0.3 ? "weak" : size < 0.5 ? "moderate" : "strong"
  return `a ${word} ${r < 0 ? "negative" : "positive"} relation`
}

/** With one requested number, the pairs that include it. */
export const correlationLines = (
  { table }: Found,
  { metrics }: Requirements,
): ReadonlyArray<string> => {
  const [left, right, r, rows] = table.columns.map(({ name }) => name)
  if (left === undefined || right === undefined || r === undefined || rows === undefined) return []
  const [only, ...others] = metrics
  const about = (row: JsonObject) =>
    only === undefined || others.length > 0 || row[left] === only || row[right] === only
  const wanted = table.rows.filter(about)
  const lines = wanted.slice(0, MAX_ROWS).map((row) => {
    const pair = `${spoken(row[left])} and ${spoken(row[right])}`
    const value = row[r]
    return typeof value === "number"
      ? `${capital(pair)}: correlation ${value.toFixed(2)}, ${strength(value)} (${formatCell(row[rows])} rows).`
      : `${capital(pair)}: no correlation can be computed, because one of them never changes or is missing.`
  })
  return wanted.length > MAX_ROWS
    ? [...lines, `… and ${wanted.length - MAX_ROWS} weaker pairs.`]
    : lines
}

/** Quartiles in words, one sentence per number and group. */
export const distributionLines = ({ table }: Found): ReadonlyArray<string> => {
  const at = table.columns.findIndex(({ name }) => name === "column")
  const keys = table.columns.slice(0, at + 1)
  const lines = table.rows.slice(0, MAX_ROWS).map((row) => {
    const name = capital(keys.map((key) => spoken(formatCell(row[key.name], key.grain))).join(", "))
    const said = (statistic: string): string => formatCell(row[statistic])
    if ((row.median ?? null) === null) return `${name}: no values.`
    return `${name}: median ${said("median")}; half of the values lie between ${said("p25")} and ${said("p75")}, all between ${said("min")} and ${said("max")} (${said("count")} values, mean ${said("mean")}).`
  })
  return [...lines, ...rest(table, MAX_ROWS)]
}

/** Whether the table has the statistics that describe a distribution. */
export const hasQuartiles = ({ columns }: TableView): boolean =>
  ["column", "p25", "median", "p75"].every((wanted) => columns.some(({ name }) => name === wanted))
