/** What the coverage check says of a plan. */
import type { Disorder } from "./ordering.ts"

export const coverageCodes = [
  "uncovered",
  "uncited",
  "unknown_requirement",
  "false_citation",
  "forbidden_output",
  "duplicate_step",
  "aggregate_before_plot",
  "filter_before_use",
  "limit_before_plot",
] as const
export type CoverageCode = (typeof coverageCodes)[number]

export interface CoverageIssue {
  readonly code: CoverageCode
  readonly step?: string
  readonly requirement?: string
  readonly message: string
}

export interface Coverage {
  readonly ok: boolean
  /** Labels no step covers, by kind. */
  readonly missing: { readonly [kind: string]: ReadonlyArray<string> }
  /** Steps nothing asks for, by tool, or `tool (step)` where the tool alone would not tell. */
  readonly unjustified: ReadonlyArray<string>
  readonly order: ReadonlyArray<Disorder>
  readonly issues: ReadonlyArray<CoverageIssue>
  /** Requirement id → ids of the steps that fulfil and cite it. */
  readonly matrix: { readonly [requirement: string]: ReadonlyArray<string> }
  readonly counts: {
    readonly requirements: number
    readonly covered: number
    readonly steps: number
    readonly unjustified: number
  }
  /** The payload for the next attempt; empty when all is well. */
  readonly text: string
}
