/** Stage kind `adapt`: fits a plan template to the requirements. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Json, JsonObject, StageContext, Tool } from "@planloom/plugin/effect"
import {
  adaptTemplate,
  applyModifications,
  coverage,
  modificationSchema,
  modificationsSchema,
  planOf,
  pruneSteps,
  repairRules,
  uncoveredIds,
} from "@planloom/planning"
import type { Adaptation, Modification, Plan, PlanTemplate, Repair } from "@planloom/planning"
import {
  asJson,
  confidence,
  confidenceInstruction,
  confidenceReply,
  confidenceRule,
  corrections,
  readConfidence,
  plan,
  refersTo,
  DEFAULT_THRESHOLD,
  requireConfidence,
  text,
  texts,
  withSummary,
} from "@planloom/stage-kit"
import type { ConfidenceRule, ModelConfidence } from "@planloom/stage-kit"
import { adaptPrompt, instructionsWith } from "../adaptPrompt.ts"
import { templateFor, templatesNamed, toolsNamed } from "../chooseTools.ts"
import { domainName, planningBasisOf, requirements } from "../domainOf.ts"
import { normalizeCitations, repairPlan } from "../repairPlan.ts"
import { profile } from "../schemas.ts"
import { planLine } from "../summaries.ts"

interface Input {
  readonly requirements: Json
  readonly domain?: string
  readonly tools: ReadonlyArray<string>
  readonly template?: string
  readonly templates?: ReadonlyArray<string>
  readonly profile?: Json
  readonly confidence?: ConfidenceRule
}

const judgedSchema = {
  ...modificationsSchema,
  properties: { ...modificationsSchema.properties, ...confidenceReply },
} as const

const modifications = { type: "array", items: modificationSchema } as const

const rejected = {
  type: "array",
  items: {
    type: "object",
    required: ["modification", "reason"],
    properties: { modification: modificationSchema, reason: text },
  },
} as const

/** The plan to change: the one that the check refused, else the template's own steps. */
const basisOf = (context: StageContext, template: PlanTemplate | undefined): Plan => {
  const output = context.feedback?.output
  const refused =
    typeof output === "object" && output !== null ? (output as { plan?: Plan }).plan : undefined
  return refused ?? planOf(template)
}

const withModel = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const ground = planningBasisOf(context, input)
  if (ground instanceof StageFailed) return yield* ground
  const templates = templatesNamed(context, input.template, input.templates)
  if (templates instanceof StageFailed) return yield* templates
  const template = templateFor(templates, ground.rules)
  const tools = toolsNamed(input.tools, context.tools)
  const instructions = instructionsWith(ground.domain.instructions)
  const basis = basisOf(context, template)
  const rule = input.confidence
  const reply = yield* context.model.json(
    {
      prompt: {
        sections: [
          {
            id: "instructions",
            text:
              rule === undefined
                ? instructions
                : `${instructions}\n- ${confidenceInstruction(rule.threshold ?? DEFAULT_THRESHOLD)}`,
            stable: true,
          },
        ],
      },
      messages: [
        { role: "user", content: adaptPrompt(input, tools, basis, template, ground) },
        ...corrections(context),
      ],
    },
    { name: "modifications", schema: rule === undefined ? modificationsSchema : judgedSchema },
  )
  const wanted = (reply as unknown as { modifications: ReadonlyArray<Modification> }).modifications
  const modified = applyModifications(basis, wanted)
  const { plan: made, repairs } = repairPlan(
    normalizeCitations(modified.plan, ground.rules.requirements),
    context.tools,
    ground.domain,
    input.profile,
  )
  yield* Effect.forEach(repairs, (repair) => context.note("repair", asJson(repair)), {
    discard: true,
  })
  if (modified.rejected.length > 0) {
    yield* context.note("rejected_modifications", modified.rejected.map(asJson))
  }
  const pruned = pruneSteps(made, ground.rules, context.tools)
  if (pruned.removed.length > 0) {
    const removed = pruned.removed.map(({ id, tool }) => ({ step: id, tool }))
    yield* context.note("removed_steps", removed)
  }
  const { missing } = coverage(pruned.plan, ground.rules, context.tools)
  const adapted = output(pruned.plan, {
    modifications: modified.applied,
    template: template?.name,
    rejected: modified.rejected.map(asJson),
    notes: [
      ...repairs.flatMap(renamed),
      ...pruned.removed.map(
        ({ tool }) => `The step ${tool} was left out, because nothing asked for it`,
      ),
    ],
    missing,
  })
  return yield* settled(adapted, readConfidence(reply), rule, context)
})

/** A name of the data that a rule of the domain corrected may have meant another one. */
const renamed = ({ from, rule, to }: Repair): ReadonlyArray<string> =>
  repairRules.some((known) => known === rule)
    ? []
    : [`${JSON.stringify(from)} in the plan was read as ${JSON.stringify(to)}`]

const settled = (
  adapted: JsonObject,
  judged: ModelConfidence & { readonly options?: ReadonlyArray<string> },
  rule: ConfidenceRule | undefined,
  context: StageContext,
): Effect.Effect<Json, StageFailed> => {
  if (rule === undefined) return Effect.succeed(adapted)
  const { options, ...rest } = judged
  const given = { ...adapted, confidence: judged.confidence }
  return requireConfidence(context, given, {
    ...rest,
    rule,
    ...(options === undefined ? {} : { detail: { ...given, options } }),
  })
}

const output = (
  made: Plan,
  more: {
    readonly modifications: ReadonlyArray<Modification>
    readonly template: string | undefined
    readonly rejected: ReadonlyArray<Json>
    readonly notes: ReadonlyArray<string>
    readonly missing: { readonly [kind: string]: ReadonlyArray<string> }
  },
): JsonObject => ({
  plan: asJson(made),
  modifications: more.modifications.map(asJson),
  ...(more.template === undefined ? {} : { template: more.template }),
  rejected: more.rejected,
  notes: more.notes,
  uncovered: uncoveredIds(more),
})

const mechanically = Effect.fnUntraced(function* (input: Input, context: StageContext) {
  const ground = planningBasisOf(context, input)
  if (ground instanceof StageFailed) return yield* ground
  const templates = templatesNamed(context, input.template, input.templates)
  if (templates instanceof StageFailed) return yield* templates
  const fit = (tools: ReadonlyArray<Tool>): Adaptation => {
    const { domain, rules } = ground
    const { profile: data, requirements: asked } = input
    return (
      domain.adapt?.({ templates, requirements: asked, tools, profile: data }) ??
      adaptTemplate({ templates, rules, tools, source: domain.source })
    )
  }
  const narrowed = fit(toolsNamed(input.tools, context.tools))
  // Requirements that the narrowed tools cannot cover may be covered by one of the others.
  const wider = narrowed.ok ? undefined : fit(context.tools)
  const better = wider !== undefined && wider.uncovered.length < narrowed.uncovered.length
  const chosen = better ? wider : narrowed
  if (better) {
    const found = chosen.plan.steps.map(({ tool }) => tool)
    const added = [...new Set(found)].filter((tool) => !input.tools.includes(tool))
    yield* context.note("expanded", { for: narrowed.uncovered, tools: added })
  }
  const adapted = output(chosen.plan, {
    modifications: chosen.modifications,
    template: chosen.template,
    rejected: [],
    notes: chosen.assumptions,
    missing: chosen.coverage.missing,
  })
  const question = `I found no way to serve ${chosen.uncovered.join(", ")}. Shall I continue without?`
  const answered = context.answers.findLast((one) => one.question === question)
  if (answered !== undefined && !isConsent(answered.answer)) {
    return yield* new StageFailed({
      class: "no_model",
      message: `without a model a plan cannot be changed by words, and it was not wanted without ${chosen.uncovered.join(", ")}`,
      detail: asJson(answered),
    })
  }
  const { covered, requirements: wanted } = chosen.coverage.counts
  const judged =
    answered !== undefined || covered === wanted
      ? { confidence: 1 }
      : {
          confidence: Math.floor((covered / wanted) * 100) / 100,
          question,
          options: [CONTINUE, "stop"],
        }
  return yield* settled(adapted, judged, input.confidence, context)
})

const CONTINUE = "continue"

const isConsent = (answer: Json): boolean =>
  typeof answer === "string" && [CONTINUE, "yes", "ok", "y"].includes(answer.trim().toLowerCase())

const summaryOf = (adapted: Json): string => {
  const { plan: made, template } = adapted as unknown as {
    readonly plan: Plan
    readonly template?: string
  }
  return planLine(made, template)
}

export const adapt = stageKind<Input>({
  id: "adapt",
  summary: "Fits a plan template to the requirements.",
  sections: ["instructions"],
  input: {
    type: "object",
    additionalProperties: false,
    required: ["requirements", "tools"],
    properties: {
      requirements,
      domain: domainName,
      tools: { ...texts, description: "names of the tools to plan with" },
      template: { ...text, description: "the template to start from" },
      templates: { ...texts, description: "the templates to choose from; all when absent" },
      profile: {
        ...profile,
        description: "what the data looks like; arguments are filled from it",
      },
      confidence: confidenceRule,
    },
  },
  output: {
    type: "object",
    additionalProperties: false,
    required: ["plan", "modifications", "rejected", "notes", "uncovered"],
    properties: {
      plan,
      modifications,
      template: text,
      rejected,
      notes: texts,
      uncovered: texts,
      confidence,
    },
  },
  refers: refersTo({ tools: "tool", template: "PlanTemplate", templates: "PlanTemplate" }),
  asks: () => ({ questions: [{ way: "json" }] }),
  model: withSummary(withModel, summaryOf),
  mechanical: withSummary(mechanically, summaryOf),
})
