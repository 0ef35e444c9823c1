/** One requirement of a plan: the unit that steps cite and coverage counts. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"

export interface Requirement {
  /** `kind:label`, unique in a list: `tool:send_mail`, `task:book a table`. */
  readonly id: string
  /**
   * A word of a domain, or one that every planner understands: `tool` (the tool of this name must be used),
   * `task` (this must be done, by one of `tools`), `output` (a step must give this data type).
   */
  readonly kind: string
  readonly label: string
  /** Whether a plan without a step for it is wrong; false for a wish. */
  readonly must: boolean
  /** Tools, each of which does it. */
  readonly tools?: ReadonlyArray<string>
  /** Asks to leave something out, so no step serves it. With `output`, no step may give that data type. */
  readonly excludes?: { readonly output?: string }
  /** Words to search tools with; without them no tool is searched for it. */
  readonly query?: string
  /** Further data of its domain. */
  readonly detail?: Json
}

const text = { type: "string", minLength: 1 } as const

/** A list of requirements as an author or a model writes it: `id` and `must` may be omitted. */
export const requirementListSchema = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["kind", "label"],
    properties: {
      id: text,
      kind: { ...text, description: "tool, task, output, or a word of the domain" },
      label: { ...text, description: "the tool's name, the task, the data type" },
      must: { type: "boolean", description: "false for a wish" },
      tools: { type: "array", items: text, description: "tools, each of which does it" },
      excludes: {
        type: "object",
        additionalProperties: false,
        properties: { output: { ...text, description: "a data type no step may give" } },
      },
      query: { type: "string", description: "words to search tools with" },
      detail: {},
    },
  },
} as const satisfies JsonSchema

type WrittenRequirement = Omit<Requirement, "id" | "must"> & Partial<Requirement>

/**
 * The list with every `id`, `must` and `query`, without repetition. A requirement is a must unless it says
 * otherwise, and tools are searched by its label.
 */
export const readRequirements = (
  written: ReadonlyArray<WrittenRequirement>,
): ReadonlyArray<Requirement> => {
  const all = written.map((one): Requirement => ({
    ...one,
    id: one.id ?? `${one.kind}:${one.label}`,
    must: one.must ?? true,
    ...(one.query === undefined && one.excludes === undefined
      ? { query: one.label.replaceAll("_", " ") }
      : {}),
  }))
  return [...new Map(all.map((one) => [one.id, one])).values()]
}

/** Whether a template's pattern (`task`, or `tool:send_mail`) means this requirement. */
export const matchesPattern = (pattern: string, requirement: Requirement): boolean =>
  pattern === requirement.kind || pattern === requirement.id

/** Whether a plan must have a step for it. */
export const needsStep = ({ excludes, must }: Requirement): boolean =>
  must && excludes === undefined
