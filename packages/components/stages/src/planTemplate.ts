/** File kind `PlanTemplate`: a plan for a known kind of request, which `narrow` and `adapt` start from. */
import { fileKind } from "@planloom/plugin/effect"
import { eachSchema } from "@planloom/planning"
import type { StageContext } from "@planloom/plugin/effect"
import type { PlanTemplate, TemplateStep } from "@planloom/planning"

/** A template as its file has it. */
interface WrittenTemplate extends Pick<PlanTemplate, "name" | "intent" | "tools"> {
  readonly match?: PlanTemplate["match"]
  readonly steps: ReadonlyArray<Pick<TemplateStep, "id" | "tool"> & Partial<TemplateStep>>
}

const words = { type: "array", items: { type: "string" } } as const

const step = {
  type: "object",
  additionalProperties: false,
  required: ["id", "tool"],
  properties: {
    id: {
      type: "string",
      format: "name",
      description: "The step's name; other steps take its result by it.",
    },
    tool: { type: "string", description: "The tool that runs it." },
    inputs: {
      type: "object",
      additionalProperties: { type: "string" },
      description:
        "Slot of the tool to the step whose result fills it; source is the workflow's data.",
    },
    params: {
      type: "object",
      description:
        "Arguments that are known before the question, and references to results: { $from: step, path: items[0].id }.",
    },
    each: { ...eachSchema, description: "Calls the tool once for each item of a list." },
    satisfies: { ...words, description: "Requirement kinds, or kind:label, that it serves." },
    optional: { type: "boolean", description: "Kept only when a requirement asks for it." },
  },
} as const

export const planTemplate = fileKind<WrittenTemplate>({
  kind: "PlanTemplate",
  summary: "A plan for a known kind of request: its curated tools and steps.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["name", "intent", "tools", "steps"],
    properties: {
      name: { type: "string", format: "name", description: "The template's name." },
      intent: { type: "string", description: "The user intent that this plan serves." },
      match: {
        type: "object",
        additionalProperties: words,
        description: "Requirement labels it is for, by requirement kind.",
      },
      tools: { ...words, description: "The curated tools of this plan." },
      steps: { type: "array", minItems: 1, items: step, description: "In order." },
    },
  },
  refers: ({ steps, tools }) => [
    ...tools.map((id, index) => ({ to: "tool", id, at: ["tools", index] })),
    ...steps.map(({ tool }, index) => ({ to: "tool", id: tool, at: ["steps", index, "tool"] })),
  ],
})

/** The workflow's templates, in declared order. */
export const templatesOf = ({ files }: StageContext): ReadonlyArray<PlanTemplate> =>
  (files(planTemplate.kind) as unknown as ReadonlyArray<WrittenTemplate>).map((written) => ({
    ...written,
    match: written.match ?? {},
    steps: written.steps.map((given) => ({
      inputs: {},
      params: {},
      satisfies: [],
      optional: false,
      ...given,
    })),
  }))
