/** One change of a plan: add, remove or modify a step, with the reason for it. */
import type { JsonObject, JsonSchema } from "@planloom/plugin/effect"
import { eachSchema, type Each, type Plan, type Step } from "./Plan.ts"

export interface Modification {
  readonly op: "add" | "remove" | "modify"
  /** Id of the step to change. */
  readonly step: string
  readonly rationale: string
  /** `add` needs these four; `modify` changes those that are given. */
  readonly tool?: string
  /** For `modify`: merged by key; empty text removes a slot. */
  readonly inputs?: { readonly [slot: string]: string }
  /** For `modify`: merged by key; null removes an argument. */
  readonly params?: JsonObject
  /** For `modify`: replaces it; null removes it. */
  readonly each?: Each | null
  /** For `modify`: replaces the list; an empty one removes it. */
  readonly needs?: ReadonlyArray<string>
  /** For `modify`: replaces the list. */
  readonly satisfies?: ReadonlyArray<string>
  /** For `add`: the step it is listed after, `source` for the beginning; at the end when absent. */
  readonly after?: string
}

export const modificationSchema = {
  type: "object",
  additionalProperties: false,
  required: ["op", "step", "rationale"],
  properties: {
    op: { type: "string", enum: ["add", "remove", "modify"] },
    step: { type: "string", minLength: 1, description: "id of the step" },
    rationale: { type: "string", description: "why, in one sentence" },
    tool: { type: "string" },
    inputs: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "slot → source, or the id of the step that gives the data",
    },
    params: { type: "object", description: "arguments; null takes one away" },
    each: {
      anyOf: [eachSchema, { type: "null" }],
      description: "calls the step once for each item of a list that another step gives",
    },
    needs: {
      type: "array",
      items: { type: "string" },
      description: "ids of the steps to wait for, where data alone does not say it",
    },
    satisfies: {
      type: "array",
      items: { type: "string" },
      description: "ids of the requirements the step serves",
    },
    after: { type: "string" },
  },
} as const satisfies JsonSchema

export const modificationsSchema = {
  type: "object",
  additionalProperties: false,
  required: ["modifications"],
  properties: { modifications: { type: "array", items: modificationSchema } },
} as const satisfies JsonSchema

export interface Rejected {
  readonly modification: Modification
  readonly reason: string
}

export interface Modified {
  readonly plan: Plan
  readonly applied: ReadonlyArray<Modification>
  readonly rejected: ReadonlyArray<Rejected>
}

/** The step that `add` describes, or the reason why it is incomplete. */
export const stepOf = (modification: Modification): Step | string => {
  const { each, step, tool, inputs, params, needs, satisfies, rationale } = modification
  if (tool === undefined) return "an added step needs a tool"
  return {
    id: step,
    tool,
    inputs: inputs ?? {},
    params: params ?? {},
    ...eachOf(each),
    ...(needs === undefined ? {} : { needs }),
    satisfies: satisfies ?? [],
    rationale,
  }
}

export const eachOf = (each: Each | null | undefined): Pick<Step, "each"> =>
  each === undefined || each === null ? {} : { each }
