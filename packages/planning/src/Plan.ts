/** A plan: steps that use tools, joined by the data they hand on, each citing what it is for. */
import type { JsonObject, JsonSchema } from "./Json.ts"

/** The name under which the workflow's own data is referred to. */
export const SOURCE = "source"

export interface Step {
  /** Unique in the plan; never `source`. */
  readonly id: string
  readonly tool: string
  /** Slot → `source`, or the id of the step whose result fills it. */
  readonly inputs: { readonly [slot: string]: string }
  readonly params: JsonObject
  /** Ids of the requirements it serves: `group_by:region`, `analysis:trend` … */
  readonly satisfies: ReadonlyArray<string>
  readonly rationale?: string
}

export interface Plan {
  readonly steps: ReadonlyArray<Step>
}

export const stepSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "tool", "inputs", "params", "satisfies"],
  properties: {
    id: { type: "string", minLength: 1 },
    tool: { type: "string", minLength: 1 },
    inputs: { type: "object", additionalProperties: { type: "string" } },
    params: { type: "object" },
    satisfies: { type: "array", items: { type: "string" } },
    rationale: { type: "string" },
  },
} as const satisfies JsonSchema

export const planSchema = {
  type: "object",
  additionalProperties: false,
  required: ["steps"],
  properties: { steps: { type: "array", items: stepSchema } },
} as const satisfies JsonSchema
