/** Requirements of a question about a table: types and JSON Schema. */
import { filterOps, grains } from "@planloom/tables"
import type { FilterOp, Grain } from "@planloom/tables"
import type { Json, JsonSchema } from "@planloom/plugin/effect"

/** The closed set of analyses. `total` … `distinct` are aggregate functions. */
export const analyses = [
  "total",
  "average",
  "median",
  "minimum",
  "maximum",
  "count",
  "distinct",
  "compare",
  "trend",
  "distribution",
  "anomaly",
  "correlation",
  "ranking",
  "share",
  "summary",
  "filter",
  "forecast",
  "moving_average",
  "rate",
  "ratio",
  "difference",
  "change",
] as const
export type Analysis = (typeof analyses)[number]

export const outputs = ["chart", "table", "text"] as const
export type Output = (typeof outputs)[number]

/** The interval asked for; `unknown` where the question names none. */
export type AskedGrain = Grain | "unknown"

export const askedGrains = ["unknown", ...grains] as const satisfies ReadonlyArray<AskedGrain>

/** A test of one column. Dates are periods: `2023`, `2023-Q2`, `2023-05`, `2023-05-17`. */
export interface Condition<K extends string = "filter" | "part" | "having"> {
  readonly kind: K
  readonly column: string
  readonly op: FilterOp
  /** A list for `in`, `not_in` and `between`; absent for `is_null` and `is_not_null`. */
  readonly value?: Json
}

/** Recurring parts of a date that can group rows. */
export const timeParts = ["weekday", "hour", "month", "quarter", "day"] as const
export type TimePart = (typeof timeParts)[number]

export type Constraint =
  /** `filter`: rows to keep; `part`: rows that count for a rate; `having`: groups to keep, by a metric or `count`. */
  | Condition<"filter">
  | Condition<"part">
  | Condition<"having">
  /** A recurring part of the date `column`, as a column of the name `as` that groups and conditions may use. */
  | {
      readonly kind: "time_part"
      readonly column: string
      readonly part: TimePart
      readonly as: string
    }
  /** Only the first n, by the metric `by` (or the first one asked for), in all or `per` group. */
  | {
      readonly kind: "top_n"
      readonly n: number
      readonly order: "desc" | "asc"
      readonly by?: string
      readonly per?: string
    }
  /** Number of intervals in a moving average's window or a forecast's horizon. */
  | { readonly kind: "window" | "horizon"; readonly n: number }
  /** An output the user does not want. */
  | { readonly kind: "exclude"; readonly output: Output }
  /** A wish for a kind of chart (`bar`, `line` …); used if a tool for it exists. */
  | { readonly kind: "chart_type"; readonly chart: string }

const constraintKinds = [
  "filter",
  "part",
  "having",
  "time_part",
  "top_n",
  "window",
  "horizon",
  "exclude",
  "chart_type",
] as const

export interface Requirements {
  /** Columns that are measured. */
  readonly metrics: ReadonlyArray<string>
  /** Columns that group the rows. */
  readonly group_by: ReadonlyArray<string>
  /** `column` is empty when the question has no time in it. */
  readonly time: { readonly column: string; readonly grain: AskedGrain }
  readonly analysis: ReadonlyArray<Analysis>
  readonly outputs: ReadonlyArray<Output>
  readonly constraints: ReadonlyArray<Constraint>
  /** Phrases that were not understood, or that ask for a column that the data lacks. */
  readonly unknown: ReadonlyArray<string>
}

export const noRequirements: Requirements = {
  metrics: [],
  group_by: [],
  time: { column: "", grain: "unknown" },
  analysis: [],
  outputs: [],
  constraints: [],
  unknown: [],
}

const names = (description: string) =>
  ({ type: "array", items: { type: "string" }, description }) as const

/** Flat constraints, so that a small model can write them; `normalizeRequirements` reads them. */
export const requirementsSchema = {
  type: "object",
  additionalProperties: false,
  required: ["metrics", "group_by", "time", "analysis", "outputs", "constraints", "unknown"],
  properties: {
    metrics: names("columns that are measured"),
    group_by: names("columns that divide the rows"),
    time: {
      type: "object",
      additionalProperties: false,
      required: ["column", "grain"],
      properties: {
        column: { type: "string", description: "the time column, empty when no time is asked for" },
        grain: { type: "string", enum: askedGrains },
      },
    },
    analysis: { type: "array", items: { type: "string", enum: analyses } },
    outputs: { type: "array", items: { type: "string", enum: outputs } },
    constraints: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["kind"],
        properties: {
          kind: { type: "string", enum: constraintKinds },
          column: {
            type: "string",
            description:
              "filter, part, having: the column (having: a metric or count); time_part: the date column",
          },
          op: {
            type: "string",
            enum: filterOps,
            description: "filter, part, having: the comparison",
          },
          value: {
            description: "filter, part, having: the value; a list for in, not_in and between",
          },
          part: { type: "string", enum: timeParts, description: "time_part: which part" },
          as: { type: "string", description: "time_part: the name to use for it as a column" },
          n: { type: "integer", minimum: 1, description: "top_n, window, horizon: how many" },
          order: {
            type: "string",
            enum: ["desc", "asc"],
            description: "top_n: asc for the lowest",
          },
          by: { type: "string", description: "top_n: the metric it goes by" },
          per: { type: "string", description: "top_n: the group that each has its own n" },
          output: { type: "string", enum: outputs, description: "exclude: what is not wanted" },
          chart: { type: "string", description: "chart_type: bar, line, scatter …" },
        },
      },
    },
    unknown: names("what was not understood, or is not in the data"),
  },
} as const satisfies JsonSchema
