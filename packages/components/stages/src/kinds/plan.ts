/** Stage kind `plan`: plans the calls of tools that answer a request. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Failure, Json, StageContext, Tool } from "@planloom/plugin/effect"
import { argumentsText, languageOf } from "@planloom/plugin/texts"
import type { Plan, WrittenPlan } from "@planloom/planning"
import { dialogueActs } from "@planloom/planning/reading"
import {
  asJson,
  confidence,
  confidenceRule,
  corrections,
  DEFAULT_THRESHOLD,
  readConfidence,
  requireConfidence,
  text,
  texts,
  withSummary,
  writtenPlan,
  type ModelConfidence,
} from "@planloom/stage-kit"
import { domainName, domainOf } from "../domainOf.ts"
import { fittingPlan, stepsOf, unfitPlan, type FittingPlan } from "../plan/fittingPlan.ts"
import { nativeCalls, type NativePlan } from "../plan/nativeCalls.ts"
import type { PlanInput } from "../plan/PlanInput.ts"
import { noteDialogueAct } from "../noteDialogueAct.ts"
import { callingSections, planQuestion, planReply, planSections } from "../plan/planPrompt.ts"
import { readCalls } from "../plan/readCalls.ts"
import { planLine } from "../summaries.ts"
import { chosenTools, namedTools, plainToolChoice } from "../ToolChoice.ts"

/** Below it the words of a request are not certain enough, unless the workflow sets a threshold. */
const WORDS_THRESHOLD = 0.5

const toolsOf = (
  { tools: choices }: PlanInput,
  context: StageContext,
): Effect.Effect<ReadonlyArray<Tool>, Failure> =>
  Effect.flatMap(
    choices === undefined ? Effect.succeed(context.tools) : chosenTools(choices, context),
    (tools) =>
      tools.length > 0
        ? Effect.succeed(tools)
        : Effect.fail(
            new StageFailed({
              class: "invalid_request",
              message: "no tool is available to plan with",
            }),
          ),
  )

/** The plan in the bounds of the stage. */
const bounded = ({ max_steps: most }: PlanInput, steps: WrittenPlan["steps"]): WrittenPlan => ({
  steps,
  ...(most === undefined ? {} : { max_steps: most }),
})

/**
 * Asks in the first round, if nothing is planned or the plan is not certain. A later round has results, and refines what
 * the user got from them.
 */
const requireClear = (
  input: PlanInput,
  context: StageContext,
  written: WrittenPlan,
  judged: ModelConfidence,
  otherwise: number,
): Effect.Effect<unknown, StageFailed> => {
  const { confidence: sure } = judged
  if (input.round > 0) {
    return context.note("confidence", { confidence: sure, threshold: 0, asks: false })
  }
  const detail = { plan: asJson(written), confidence: sure }
  if (written.steps.length > 0) {
    return requireConfidence(context, null, {
      ...judged,
      rule: input.confidence,
      otherwise,
      detail,
    })
  }
  const threshold = input.confidence?.threshold ?? otherwise
  return Effect.andThen(
    context.note("confidence", { confidence: sure, threshold, asks: true }),
    Effect.fail(
      new StageFailed({
        class: "clarification",
        message: judged.question ?? input.empty ?? context.text("empty_plan"),
        detail,
      }),
    ),
  )
}

/** The output for a message that asks for nothing new, if the workflow replies to it: nothing is planned. */
const replyToAct = Effect.fnUntraced(function* (
  { acts = {}, request, round }: PlanInput,
  context: StageContext,
) {
  if (round > 0) return undefined
  const act = yield* noteDialogueAct(request, context)
  const reply = act === undefined ? undefined : acts[act]
  return reply === undefined
    ? undefined
    : ({ plan: { steps: [] }, confidence: 1, notes: [], reply } satisfies Json)
})

const settled = Effect.fnUntraced(function* (
  made: Extract<FittingPlan, { readonly plan: Plan }>,
  sure: number,
  context: StageContext,
) {
  for (const repair of made.repairs) yield* context.note("repair", asJson(repair))
  return {
    plan: asJson(made.plan),
    confidence: sure,
    notes: made.repairs.map(({ path, step, why }) => `${step}, ${path}: ${why}`),
  } satisfies Json
})

/** Steps as JSON, which may read results of each other. */
const jsonPlan = Effect.fnUntraced(function* (
  input: PlanInput,
  tools: ReadonlyArray<Tool>,
  context: StageContext,
) {
  const reply = yield* context.model.json(
    {
      prompt: { sections: planSections(input, tools) },
      messages: [{ role: "user", content: planQuestion(input) }, ...corrections(context)],
    },
    { name: "plan", schema: planReply(tools) },
  )
  const { plan: made } = reply as unknown as { readonly plan: WrittenPlan }
  const judged = readConfidence(reply)
  return { steps: made.steps, judged, reply: JSON.stringify(reply) } satisfies NativePlan
})

const withModel = Effect.fnUntraced(function* (input: PlanInput, context: StageContext) {
  const domain = domainOf(context, input.domain)
  if (domain instanceof StageFailed) return yield* domain
  const replied = yield* replyToAct(input, context)
  if (replied !== undefined) return replied
  const tools = yield* toolsOf(input, context)
  const { calling } = input
  const isNative = calling === "native" || (calling === "auto" && context.model.can("tools"))
  const { judged, reply, steps } = yield* (isNative ? nativeCalls : jsonPlan)(input, tools, context)
  const written = bounded(input, steps)
  yield* requireClear(input, context, written, judged, DEFAULT_THRESHOLD)
  const made = fittingPlan(written, { tools, domain })
  if ("issues" in made) return yield* unfitPlan(made.issues, reply)
  return yield* settled(made, judged.confidence, context)
})

const mechanically = Effect.fnUntraced(function* (input: PlanInput, context: StageContext) {
  const domain = domainOf(context, input.domain)
  if (domain instanceof StageFailed) return yield* domain
  const replied = yield* replyToAct(input, context)
  if (replied !== undefined) return replied
  const tools = yield* toolsOf(input, context)
  const { calls, ...judged } = yield* readCalls(input, tools, context)
  const steps = stepsOf(calls.map(({ params, tool }) => ({ tool: tool.name, params })))
  const written = bounded(input, steps)
  yield* requireClear(input, context, written, judged, WORDS_THRESHOLD)
  const made = fittingPlan(written, { tools, domain })
  if ("issues" in made) {
    const language = languageOf(context.user)
    const values = calls.map(({ params, tool }) => argumentsText(tool, params, language))
    return yield* new StageFailed({
      class: "clarification",
      message: context.text("invalid", { values: { values: values.join(", ") } }),
      detail: { issues: made.issues.map(asJson) },
    })
  }
  return yield* settled(made, judged.confidence, context)
})

const summaryOf = (output: Json): string =>
  planLine((output as unknown as { readonly plan: Plan }).plan, undefined)

export const plan = stageKind<PlanInput>({
  id: "plan",
  summary: "Plans the calls of tools that answer a request.",
  sections: ["instructions", "tools"],
  searches: "mechanical",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["request"],
    properties: {
      request: { ...text, minLength: 1, description: "what the user asks for" },
      context: {
        description: "what is known; without a model, `entities` in it are values for params",
      },
      tools: {
        type: "array",
        items: plainToolChoice,
        description:
          "tools by name, by group, or found by the workflow's index; all that the workflow has when absent",
      },
      domain: domainName,
      confidence: confidenceRule,
      empty: {
        ...text,
        minLength: 1,
        description: "what to ask where no call is planned in the first round",
      },
      acts: {
        type: "object",
        minProperties: 1,
        propertyNames: { enum: [...dialogueActs] },
        additionalProperties: { ...text, minLength: 1 },
        description:
          "replies to messages that ask for nothing new, by what they do: nothing is planned, and the output has the `reply`",
      },
      max_steps: {
        type: "integer",
        minimum: 1,
        description:
          "the most calls that the plan may make; a step with `each` counts as many times as its limit",
      },
      results: {
        type: "array",
        items: {
          type: "object",
          required: ["tool", "ok", "summary"],
          properties: { tool: text, ok: { type: "boolean" }, summary: text, error: text },
        },
        default: [],
        description: "`calls` of `execute` in earlier rounds; the model reads a line of each",
      },
      calling: {
        enum: ["auto", "native", "json"],
        default: "auto",
        description:
          "native: the model calls tools by the function calling of its service; json: steps as JSON, which may read results of each other; auto: native where the facts on its models list tools",
      },
      round: {
        type: "integer",
        minimum: 0,
        default: 0,
        description: "`iter.index` of the loop; only round 0 asks",
      },
    },
  },
  output: {
    type: "object",
    required: ["plan", "confidence"],
    properties: {
      plan: writtenPlan,
      confidence,
      notes: texts,
      reply: { ...text, description: "only for a message of `acts`" },
    },
  },
  refers: ({ tools }) => namedTools(tools).map((one) => ({ ...one, at: ["tools", ...one.at] })),
  asks: ({ can, open, tools, with: known }) => {
    const { calling, confidence: rule, max_steps: most } = known
    const given = {
      confidence: (rule ?? {}) as NonNullable<PlanInput["confidence"]>,
      ...(typeof most === "number" ? { max_steps: most } : {}),
    }
    // The request is written as JSON, which may be longer than its text.
    const question = planQuestion({ request: "", context: "", results: [], ...known } as never)
    const textOf = ({ text: section }: { readonly text: string }) => section
    const asJsonReply = {
      way: "json",
      adds: [...planSections(given, tools).map(textOf), question, JSON.stringify(planReply(tools))],
    } as const
    const asCalls = {
      way: "text",
      tools: true,
      adds: [
        ...callingSections(given).map(textOf),
        question,
        ...tools.map(({ name, params, summary }) => JSON.stringify({ name, summary, params })),
      ],
    } as const
    const isOpen = open.includes("calling")
    const isNative = calling === "native" || (calling === "auto" && can("tools"))
    return {
      questions: isOpen ? [asJsonReply, asCalls] : [isNative ? asCalls : asJsonReply],
      // Without a model, each answer to a question is searched for.
      searches: Infinity,
    }
  },
  model: withSummary(withModel, summaryOf),
  mechanical: withSummary(mechanically, summaryOf),
})
