/** A plan: steps that call tools, connected by data, each citing the requirements it serves. */
import type { JsonObject, JsonSchema } from "@planloom/plugin/effect"
import { referenceSchema, type StepReference } from "./StepReference.ts"

/** The name under which the workflow's own data is referred to. */
export const SOURCE = "source"

/** Calls a step once for each item of a list. */
export interface Each {
  /** The list, which another step gives. */
  readonly over: StepReference
  /** The name of an item, for references in the params. */
  readonly as: string
  /** The most items, from the first on; `EACH_LIMIT` unless given. */
  readonly limit?: number
}

/** Items of a step with `each` that gives no limit. */
export const EACH_LIMIT = 10

const MAX_EACH_LIMIT = 100

export interface Step {
  /** Unique in the plan; never `source`. */
  readonly id: string
  readonly tool: string
  /** Slot → `source`, or the id of the step whose result fills it. */
  readonly inputs: { readonly [slot: string]: string }
  /** Values, and references to results of other steps. */
  readonly params: JsonObject
  /** The result is then the list of the results, in order. */
  readonly each?: Each
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
  /** The most calls that the plan may make; a step with `each` counts as many times as its limit. */
  readonly max_steps?: number
}

/** The most calls that the steps make. */
export const mostCalls = ({
  steps,
}: {
  readonly steps: ReadonlyArray<Pick<Step, "each">>
}): number =>
  steps.reduce((sum, { each }) => sum + (each === undefined ? 1 : (each.limit ?? EACH_LIMIT)), 0)

export const eachSchema = {
  type: "object",
  additionalProperties: false,
  required: ["over", "as"],
  properties: {
    over: { ...referenceSchema, description: "the list" },
    as: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$", description: "names an item" },
    limit: { type: "integer", minimum: 1, maximum: MAX_EACH_LIMIT, default: EACH_LIMIT },
  },
} as const satisfies JsonSchema

export const stepSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "tool", "inputs", "params", "satisfies"],
  properties: {
    id: { type: "string", minLength: 1 },
    tool: { type: "string", minLength: 1 },
    inputs: { type: "object", additionalProperties: { type: "string" } },
    params: { type: "object" },
    each: eachSchema,
    needs: { type: "array", items: { type: "string" } },
    fresh: { type: "boolean", description: "calls the tool also if the run has an equal call" },
    satisfies: { type: "array", items: { type: "string" } },
    rationale: { type: "string" },
  },
} as const satisfies JsonSchema

const planOf = <Items extends JsonSchema>(items: Items) =>
  ({
    type: "object",
    additionalProperties: false,
    required: ["steps"],
    properties: { steps: { type: "array", items }, max_steps: { type: "integer", minimum: 0 } },
  }) as const satisfies JsonSchema

export const planSchema = planOf(stepSchema)

/** A plan as an author or a model writes it: what a step does not need may be left out. */
export interface WrittenPlan extends Omit<Plan, "steps"> {
  readonly steps: ReadonlyArray<Pick<Step, "id" | "tool"> & Partial<Step>>
}

export const writtenPlanSchema = planOf({ ...stepSchema, required: ["id", "tool"] })

/** The plan, with what its steps leave out as empty. */
export const completePlan = (written: WrittenPlan): Plan => ({
  ...written,
  steps: written.steps.map((step) => ({ inputs: {}, params: {}, satisfies: [], ...step })),
})
