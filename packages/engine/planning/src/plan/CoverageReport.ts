/** The report of the coverage check, and its JSON Schema. */
import type { JsonSchema } from "@planloom/plugin/effect"
import type { OrderViolation } from "./checkOrder.ts"

/** Codes of every coverage check; the order rules of a domain bring their own. */
export const coverageCodes = [
  "uncovered",
  "uncited",
  "unknown_requirement",
  "false_citation",
  "forbidden_output",
  "duplicate_step",
] as const

export interface CoverageIssue {
  /** One of `coverageCodes`, or the code of an order rule. */
  readonly code: string
  readonly step?: string
  readonly requirement?: string
  readonly message: string
}

export interface Coverage {
  readonly ok: boolean
  /** Labels no step covers, by kind. */
  readonly missing: { readonly [kind: string]: ReadonlyArray<string> }
  /** Steps that no requirement asks for, by tool, or `tool (step)` where several steps use the tool. */
  readonly unjustified: ReadonlyArray<string>
  readonly order: ReadonlyArray<OrderViolation>
  readonly issues: ReadonlyArray<CoverageIssue>
  /** Requirement id → ids of the steps that fulfil and cite it. */
  readonly matrix: { readonly [requirement: string]: ReadonlyArray<string> }
  readonly counts: {
    readonly requirements: number
    readonly covered: number
    readonly steps: number
    readonly unjustified: number
  }
  /** Instructions for the next attempt; empty when the plan passes. */
  readonly text: string
}

const texts = { type: "array", items: { type: "string" } } as const

/** JSON Schema of the report. */
export const coverageSchema = {
  type: "object",
  required: ["ok", "missing", "unjustified", "order", "issues", "matrix", "counts", "text"],
  properties: {
    ok: { type: "boolean" },
    missing: { type: "object", additionalProperties: texts },
    unjustified: texts,
    order: {
      type: "array",
      items: {
        type: "object",
        required: ["code", "step", "requirement", "message"],
        properties: {
          code: { type: "string" },
          step: { type: "string" },
          before: { type: "string" },
          missing: { type: "string" },
          requirement: { type: "string" },
          message: { type: "string" },
        },
      },
    },
    issues: {
      type: "array",
      items: {
        type: "object",
        required: ["code", "message"],
        properties: {
          code: { type: "string" },
          step: { type: "string" },
          requirement: { type: "string" },
          message: { type: "string" },
        },
      },
    },
    matrix: { type: "object", additionalProperties: texts },
    counts: {
      type: "object",
      required: ["requirements", "covered", "steps", "unjustified"],
      properties: {
        requirements: { type: "integer" },
        covered: { type: "integer" },
        steps: { type: "integer" },
        unjustified: { type: "integer" },
      },
    },
    text: { type: "string" },
  },
} as const satisfies JsonSchema
