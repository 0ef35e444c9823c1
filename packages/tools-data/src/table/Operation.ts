/** Everything that can be done to a table, as plain data; each kind's file says what it means. */
import type { Grain } from "./Table.ts"

export type Scalar = string | number | boolean | null

export const comparisons = [
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "between",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "is_null",
  "is_not_null",
] as const
export type Comparison = (typeof comparisons)[number]

/** One condition. `value` is a list for `in`, `not_in` and `between`, absent for the null tests. */
export interface Condition {
  readonly column: string
  readonly op: Comparison
  readonly value?: Scalar | ReadonlyArray<Scalar>
}

export const aggregations = [
  "sum",
  "avg",
  "min",
  "max",
  "count",
  "median",
  "count_distinct",
] as const
type Aggregation = (typeof aggregations)[number]

/** One number per group. `column` is null for the number of rows. */
export interface Measure {
  readonly column: string | null
  readonly agg: Aggregation
  readonly as: string
}

export interface ParseDatetime {
  readonly op: "parse_datetime"
  readonly column: string
  /** strptime formats, tried in order; the ISO forms come first by themselves. */
  readonly formats: ReadonlyArray<string>
  readonly to: "date" | "timestamp"
}

/** Text to numbers: currency signs, spaces, percent and grouping removed. */
export interface ParseNumber {
  readonly op: "parse_number"
  readonly column: string
  readonly decimal: "." | ","
}

/** Keeps the rows for which all conditions hold. */
export interface Filter {
  readonly op: "filter"
  readonly where: ReadonlyArray<Condition>
}

export interface Aggregate {
  readonly op: "aggregate"
  readonly group_by: ReadonlyArray<string>
  readonly time: { readonly column: string; readonly grain: Grain } | null
  readonly measures: ReadonlyArray<Measure>
}

/** The first `limit` rows by a column, of the table or of each group. */
export interface Top {
  readonly op: "top"
  readonly by: string
  readonly descending: boolean
  readonly limit: number
  readonly within: ReadonlyArray<string>
}

/** One row per column (and group) with its statistics. */
export interface Summarize {
  readonly op: "summarize"
  readonly columns: ReadonlyArray<string>
  readonly group_by: ReadonlyArray<string>
}

/** Adds `expected` and `score` to each row and keeps those beyond the threshold. */
export interface Anomalies {
  readonly op: "anomalies"
  readonly column: string
  readonly group_by: ReadonlyArray<string>
  /** Null: against the median of the series. */
  readonly time: {
    readonly column: string
    /** Effects that are taken out, if any. */
    readonly season: ReadonlyArray<Season>
    /** Points on each side of the rolling median. */
    readonly window: number
  } | null
  readonly threshold: number
  /** Keeps every row and adds `anomaly`. */
  readonly all: boolean
}

/** Which points of a time series are alike; `month_of_day`: the month, in a series of days or weeks. */
export const seasons = ["weekday", "month", "month_of_day", "quarter"] as const
export type Season = (typeof seasons)[number]

/** Each measure in two periods, the difference and the change in percent. */
export interface Compare {
  readonly op: "compare"
  readonly time: string
  /** Half-open: from (inclusive) to (exclusive), ISO dates. */
  readonly current: readonly [string, string]
  readonly previous: readonly [string, string]
  readonly group_by: ReadonlyArray<string>
  readonly measures: ReadonlyArray<Measure>
}

export type Operation =
  | ParseDatetime
  | ParseNumber
  | Filter
  | Aggregate
  | Top
  | Summarize
  | Anomalies
  | Compare
