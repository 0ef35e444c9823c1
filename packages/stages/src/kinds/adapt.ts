/** Fits a plan template to the requirements. */
import * as Effect from "effect/Effect"
import { stageKind, StageFailed } from "@planloom/plugin"
import type { Json, PlanTemplate, StageContext, Tool } from "@planloom/plugin"
import {
  adaptPlan,
  applyModifications,
  coverage,
  listRequirements,
  modificationSchema,
  modificationsSchema,
  nearest,
  planOf,
  repairStep,
} from "@planloom/planning"
import type { DataProfile, Modification, Plan, Repair, Requirements } from "@planloom/planning"
import { asJson } from "../asJson.ts"
import { templateFor, templatesNamed, toolsNamed } from "../chooseTools.ts"
import { corrections } from "../corrections.ts"
import { describeProfile, readProfile } from "../readProfile.ts"
import { plan, profile, requirements, text, texts } from "../schemas.ts"
import { planLine } from "../summaries.ts"
import { toolCard } from "../toolDocument.ts"
import { withSummary } from "../withSummary.ts"

interface Input {
  readonly requirements: Requirements
  readonly tools: ReadonlyArray<string>
  readonly template?: string
  readonly templates?: ReadonlyArray<string>
  readonly profile?: Json
}

const instructions = `Change the plan so that it does exactly what the requirements ask, as JSON {modifications}.
Each modification is {op: "add" | "remove" | "modify", step, rationale, tool, inputs, params, satisfies}.
Rules:
- Every requirement must be served by a step, and every step must cite in "satisfies" the ids of the requirements it serves. Remove steps with no matching requirement.
- Group by and time come before plotting: a chart reads the step that aggregates, never the raw rows.
- Filters come first: everything reads the filtered rows.
- Use only the tools listed, with their own arguments. Fill in every argument marked *.
- "inputs" maps a slot to the id of the step it reads, or to "source", the user's table.
- Add nothing nobody asked for.`

const modifications = { type: "array", items: modificationSchema } as const

const rejected = {
  type: "array",
  items: {
    type: "object",
    required: ["modification", "reason"],
    properties: { modification: modificationSchema, reason: text },
  },
} as const

/** The plan the check refused, so that only its faults need mending; else the template's own steps. */
const basisOf = (context: StageContext, template: PlanTemplate | undefined): Plan => {
  const output = context.feedback?.output
  const refused =
    typeof output === "object" && output !== null ? (output as { plan?: Plan }).plan : undefined
  return refused ?? planOf(template)
}

/** A requirement's id written with a slip or a space is still that requirement. */
const foldCitations = (made: Plan, required: Requirements): Plan => {
  const ids = listRequirements(required).map(({ id }) => id)
  return {
    steps: made.steps.map((step) => ({
      ...step,
      satisfies: step.satisfies.map((id) => (ids.includes(id) ? id : (nearest(id, ids) ?? id))),
    })),
  }
}

interface Mended {
  readonly plan: Plan
  readonly repairs: ReadonlyArray<Repair & { readonly step: string }>
}

const mend = (made: Plan, tools: ReadonlyArray<Tool>, data: DataProfile): Mended => {
  const options = data.columns.length === 0 ? {} : { profile: data }
  const mended = made.steps.map((step) => repairStep(step, made, tools, options))
  return {
    plan: { steps: mended.map(({ step }) => step) },
    repairs: mended.flatMap(({ step, repairs }) =>
      repairs.map((repair) => ({ step: step.id, ...repair })),
    ),
  }
}

const prompt = (
  input: Input,
  tools: ReadonlyArray<Tool>,
  basis: Plan,
  template: PlanTemplate | undefined,
  data: DataProfile,
): string =>
  [
    "Requirements:",
    ...listRequirements(input.requirements).map(({ id, kind }) =>
      kind === "exclude" ? `- ${id} (must not be made)` : `- ${id}`,
    ),
    "",
    "Requirements in full:",
    JSON.stringify(input.requirements),
    "",
    "Data (source):",
    describeProfile(data),
    "",
    "Tools:",
    ...tools.map((tool) => JSON.stringify(toolCard(tool))),
    "",
    `Plan to change${template === undefined ? "" : ` (${template.name}: ${template.intent})`}:`,
    JSON.stringify(basis),
  ].join("\n")

const withModel = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const templates = templatesNamed(context, input.template, input.templates)
  if (templates instanceof StageFailed) return yield* templates
  const template = templateFor(templates, input.requirements)
  const tools = toolsNamed(input.tools, context.tools)
  const data = readProfile(input.profile)
  const basis = basisOf(context, template)
  const reply = yield* context.model.json(
    {
      system: instructions,
      messages: [
        { role: "user", content: prompt(input, tools, basis, template, data) },
        ...corrections(context),
      ],
    },
    { name: "modifications", schema: modificationsSchema },
  )
  const wanted = (reply as unknown as { modifications: ReadonlyArray<Modification> }).modifications
  const modified = applyModifications(basis, wanted)
  const { plan: made, repairs } = mend(
    foldCitations(modified.plan, input.requirements),
    context.tools,
    data,
  )
  yield* Effect.forEach(repairs, (repair) => context.note("repair", asJson(repair)), {
    discard: true,
  })
  if (modified.rejected.length > 0) {
    yield* context.note("rejected_modifications", modified.rejected.map(asJson))
  }
  const { missing } = coverage(made, input.requirements, context.tools)
  return output(made, {
    modifications: modified.applied,
    template: template?.name,
    rejected: modified.rejected.map(asJson),
    notes: [],
    missing,
  })
})

const output = (
  made: Plan,
  more: {
    readonly modifications: ReadonlyArray<Modification>
    readonly template: string | undefined
    readonly rejected: ReadonlyArray<Json>
    readonly notes: ReadonlyArray<string>
    readonly missing: { readonly [kind: string]: ReadonlyArray<string> }
  },
): Json => ({
  plan: asJson(made),
  modifications: more.modifications.map(asJson),
  ...(more.template === undefined ? {} : { template: more.template }),
  rejected: more.rejected,
  notes: more.notes,
  uncovered: Object.entries(more.missing).flatMap(([kind, labels]) =>
    labels.map((label) => `${kind}:${label}`),
  ),
})

const mechanically = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const templates = templatesNamed(context, input.template, input.templates)
  if (templates instanceof StageFailed) return yield* templates
  const data = readProfile(input.profile)
  const given = { templates, requirements: input.requirements, profile: data }
  const narrowed = adaptPlan({ ...given, tools: toolsNamed(input.tools, context.tools) })
  // What the few tools cannot cover, one of the others may.
  const wider = narrowed.ok ? undefined : adaptPlan({ ...given, tools: context.tools })
  const better = wider !== undefined && wider.uncovered.length < narrowed.uncovered.length
  const chosen = better ? wider : narrowed
  if (better) {
    const found = chosen.plan.steps.map(({ tool }) => tool)
    const added = [...new Set(found)].filter((tool) => !input.tools.includes(tool))
    yield* context.note("expanded", { for: narrowed.uncovered, tools: added })
  }
  return output(chosen.plan, {
    modifications: chosen.modifications,
    template: chosen.template,
    rejected: [],
    notes: chosen.assumptions,
    missing: chosen.coverage.missing,
  })
})

const said = (adapted: Json): string => {
  const { plan: made, template } = adapted as unknown as {
    readonly plan: Plan
    readonly template?: string
  }
  return planLine(made, template)
}

export const adapt = stageKind<Input>({
  id: "adapt",
  summary: "Fits a plan template to the requirements.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["requirements", "tools"],
    properties: {
      requirements,
      tools: { ...texts, description: "names of the tools to plan with" },
      template: { ...text, description: "the template to begin with" },
      templates: { ...texts, description: "the templates to choose from; all when absent" },
      profile: { ...profile, description: "the table's columns; arguments are filled from it" },
    },
  },
  output: {
    type: "object",
    additionalProperties: false,
    required: ["plan", "modifications", "rejected", "notes", "uncovered"],
    properties: { plan, modifications, template: text, rejected, notes: texts, uncovered: texts },
  },
  toolsOf: ({ tools }) => (Array.isArray(tools) ? tools.map(String) : []),
  templatesOf: ({ template, templates }) => [
    ...(typeof template === "string" ? [template] : []),
    ...(Array.isArray(templates) ? templates.map(String) : []),
  ],
  model: withSummary(withModel, said),
  mechanical: withSummary(mechanically, said),
})
