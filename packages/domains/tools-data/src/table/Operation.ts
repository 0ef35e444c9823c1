/** All table operations, and a source with its operations, as plain data; each kind's file documents its semantics. */
import type { FilterOp, Grain } from "@planloom/tables"
import type { Source } from "../file/Source.ts"

/** A source and its operations: compiles to one SQL statement with reproducible rows. */
export interface Lineage {
  readonly source: Source
  readonly ops: ReadonlyArray<Operation>
}

export type Scalar = string | number | boolean | null

/** One condition. `value` is a list for `in`, `not_in` and `between`, absent for the null tests. */
export interface Condition {
  readonly column: string
  readonly op: FilterOp
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
  /** strptime formats, tried in order after the ISO forms. */
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

/** Adds each row's share of the whole table or of its group. */
export interface Share {
  readonly op: "share"
  readonly columns: ReadonlyArray<string>
  readonly within: ReadonlyArray<string>
}

/** Share in percent of the rows that meet all conditions, per group and unit of time. */
export interface Rate {
  readonly op: "rate"
  readonly where: ReadonlyArray<Condition>
  /** Rows count by this number; null: each row counts as one. */
  readonly weight: string | null
  readonly group_by: ReadonlyArray<string>
  readonly time: Aggregate["time"]
}

/** One number of two measures per group and unit of time. */
export interface Combine {
  readonly op: "combine"
  readonly measures: readonly [Measure, Measure]
  readonly how: "ratio" | "difference"
  readonly as: string
  readonly group_by: ReadonlyArray<string>
  readonly time: Aggregate["time"]
}

/** Adds to each row the change of its numbers since the row before it. */
export interface Change {
  readonly op: "change"
  readonly columns: ReadonlyArray<string>
  /** The column that orders the rows. */
  readonly along: string
  readonly within: ReadonlyArray<string>
}

/** Adds a recurring part of a date: its weekday, hour or month of the year. */
export interface TimePart {
  readonly op: "time_part"
  readonly column: string
  readonly part: Part
  readonly as: string
}

export const timeParts = ["weekday", "hour", "month", "quarter", "day"] as const
export type Part = (typeof timeParts)[number]

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
    /** Seasonal effects to remove. */
    readonly season: ReadonlyArray<Season>
    /** Points on each side of the rolling median. */
    readonly window: number
  } | null
  readonly threshold: number
  /** Keeps every row and adds `anomaly`. */
  readonly all: boolean
}

/** Seasonal effect; `month_of_day`: by month in a series of days or weeks. */
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

/** Groups in rows, the values of one column across, one number in each cell. */
export interface Pivot {
  readonly op: "pivot"
  readonly rows: ReadonlyArray<string>
  readonly across: string
  /** Values of `across` as text, one column each; null is the missing value. */
  readonly values: ReadonlyArray<string | null>
  readonly measure: Measure
}

/** Adds the mean of the last `window` points to each point. */
export interface MovingAverage {
  readonly op: "moving_average"
  readonly columns: ReadonlyArray<string>
  readonly time: string
  readonly group_by: ReadonlyArray<string>
  /** Number of points, including the current one. */
  readonly window: number
}

/** Counts the values in equal intervals. */
export interface Bins {
  readonly op: "bins"
  readonly column: string
  readonly group_by: ReadonlyArray<string>
  /** Lower end of the first bin, width and number of bins. */
  readonly start: number
  readonly width: number
  readonly count: number
}

/** Quartiles and whiskers, one row per group. */
export interface Boxes {
  readonly op: "boxes"
  readonly column: string
  readonly group_by: ReadonlyArray<string>
}

/** Pearson's r of number columns: each pair once, or the whole matrix. */
export interface Correlation {
  readonly op: "correlation"
  readonly columns: ReadonlyArray<string>
  readonly form: "pairs" | "matrix"
}

/** Forecasts the next values of a series with one value per unit of time. */
export interface Forecast {
  readonly op: "forecast"
  readonly column: string
  readonly time: { readonly column: string; readonly grain: Grain }
  readonly group_by: ReadonlyArray<string>
  /** Points per season; 1 without a season. */
  readonly season: number
  readonly horizon: number
  /** Percentage of values the prediction interval should contain. */
  readonly level: Level
  /** Keeps the series before its forecast. */
  readonly all: boolean
}

export const levels = [80, 90, 95, 99] as const
export type Level = (typeof levels)[number]

/** Joins two tables on equal keys. */
export interface Join {
  readonly op: "join"
  /** The other table. */
  readonly beside: Lineage
  readonly on: ReadonlyArray<{ readonly left: string; readonly right: string }>
  readonly how: JoinKind
}

/** `anti`: rows without a match. */
export const joinKinds = ["inner", "left", "full", "anti"] as const
export type JoinKind = (typeof joinKinds)[number]

export type Operation =
  | ParseDatetime
  | ParseNumber
  | Filter
  | Aggregate
  | Top
  | Share
  | Rate
  | Combine
  | Change
  | TimePart
  | Summarize
  | Anomalies
  | Compare
  | Pivot
  | MovingAverage
  | Bins
  | Boxes
  | Correlation
  | Forecast
  | Join
