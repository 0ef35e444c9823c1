/** What typed items of a question mean, by category. */
import type { Column, FilterOp } from "@planloom/tables"
import type { Analysis, AskedGrain, Output } from "../requirements/Requirements.ts"
import type { Mention } from "./findMentions.ts"
import type { WordClass } from "./vocabulary/wordClasses.ts"

/** "more than 5", "between 3 and 7", "older than 65", "8". */
export interface Comparison {
  readonly op: FilterOp
  readonly value: number | readonly [number, number]
  /** Whether only a weak word compares: "8 cylinders", "is 8". */
  readonly weak: boolean
  readonly unit: string | undefined
  /** The column that the comparison itself names: age in "older than". */
  readonly subject: Column | undefined
}

/** "the most"; "heaviest": of weight; "busiest": of `rows`. */
export interface Superlative {
  readonly order: "desc" | "asc"
  readonly of: string | undefined
}

/** A written period, without a year as `--05`, `--Q2` or `--05-17`. */
export interface Period {
  readonly start: number
  readonly end: number
  /** `2023`, `2023-Q2`, `2023-05`, `2023-05-17`. */
  readonly value: string
  readonly unit: "year" | "quarter" | "month" | "day"
}

/** From the beginning of a period to the end of another. */
export interface PeriodRange {
  readonly first: Period
  readonly next: Period
}

/** What an item of each category means. */
export type Meanings = { readonly [C in WordClass]: string } & {
  readonly NUMBER: number
  readonly UNIT: string
  /** A comparison sign. */
  readonly SIGN: FilterOp
  /** "heavier than": `desc:weight`; "heavier". */
  readonly GRADED: string
  readonly DEGREE: string
  readonly COMPARISON: Comparison
  readonly SUPER: Superlative
  /** A function that puts the values of a group together. */
  /** A date, month or quarter in digits. */
  readonly ISO: string
  readonly FULL_YEAR: string
  /** Two digits. */
  readonly MONTH: string
  readonly DAY_NUMBER: string
  /** The 2 of `q2`. */
  readonly SHORT_PART: string
  readonly PERIOD: Period
  readonly RANGE: PeriodRange
  readonly PUT: Analysis
  readonly ANALYSIS: Analysis
  readonly NOT: string
  /** A word without content. */
  readonly SILENT: string
  /** A usual word for rows. */
  readonly ROW: string
  /** A wish to see something. */
  readonly LOOK: undefined
  readonly OUTPUT: Output
  readonly CHART: string
  /** A word that a condition uses. */
  readonly LIMITED: undefined
  readonly GRAIN: AskedGrain
  readonly COLUMN: Mention
  readonly MEASURE: Mention
  readonly GROUP: Mention
  readonly FLAG: Mention
  readonly VALUE: Mention
  readonly ROWS: undefined
  /** An interval of time, or columns that can group. */
  readonly PART: AskedGrain | Mention
  /** A free word, whatever it means. */
  readonly WORD: string
}

export interface Item<M = unknown> {
  readonly category: keyof Meanings
  readonly start: number
  readonly end: number
  readonly of: M
}
