/** Schemas that several kinds share. */
import type { JsonSchema } from "@planloom/plugin/effect"
import { coverageSchema } from "@planloom/planning"
import { plan, text } from "@planloom/stage-kit"

/** The data profile: what is known of the data before the plan runs, in the domain's form. */
export const profile = {
  type: "object",
  description: "what the data looks like, as the domain describes it",
} as const satisfies JsonSchema

const lintIssues = {
  type: "array",
  items: {
    type: "object",
    required: ["code", "message"],
    properties: { code: text, step: text, path: text, message: text, suggestion: text },
  },
} as const satisfies JsonSchema

export const repairs = {
  type: "array",
  items: {
    type: "object",
    required: ["step", "path", "from", "to", "why", "rule"],
    properties: { step: text, path: text, from: {}, to: {}, why: text, rule: text },
  },
} as const satisfies JsonSchema

export const checkedPlan = {
  ...coverageSchema,
  required: [...coverageSchema.required, "lint", "plan"],
  properties: { ...coverageSchema.properties, lint: lintIssues, plan },
} as const satisfies JsonSchema
