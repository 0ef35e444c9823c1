/** A plan: steps that call tools, connected by data, each citing the requirements it serves. */
import type { JsonObject, JsonSchema } from "@planloom/plugin/effect"

/** The name under which the workflow's own data is referred to. */
export const SOURCE = "source"

export interface Step {
  /** Unique in the plan; never `source`. */
  readonly id: string
  readonly tool: string
  /** Slot → `source`, or the id of the step whose result fills it. */
  readonly inputs: { readonly [slot: string]: string }
  readonly params: JsonObject
  /**
   * Ids of the steps it waits for, where the plan declares them: all it reads and any other. Without it the
   * dependencies are those of the data.
   */
  readonly needs?: ReadonlyArray<string>
  /** Its call is made, also if the run has made an equal one. */
  readonly fresh?: boolean
  /** Ids of the requirements it serves: `tool:send_mail`, `task:book a table` … */
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
    needs: { type: "array", items: { type: "string" } },
    fresh: { type: "boolean", description: "calls the tool also if the run has an equal call" },
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
