/** Stage kind `reflect`: examines what a plan found, and improves the plan where something is missing. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Json, JsonObject, StageContext } from "@planloom/plugin/effect"
import { completePlan, diffPlans, lintPlan, type Plan, type Rejected } from "@planloom/planning"
import { isObject, sameJson } from "@planloom/schema"
import { asJson, corrections, withSummary } from "@planloom/stage-kit"
import { domainOf } from "../domainOf.ts"
import { repairPlan } from "../repairPlan.ts"
import { callLines } from "../reflect/callLines.ts"
import { withFollowUps } from "../reflect/followUps.ts"
import { emptySteps, isEmptyStep, missingIn } from "../reflect/missingIn.ts"
import type { ReflectInput } from "../reflect/ReflectInput.ts"
import type { Missing } from "../reflect/Reflection.ts"
import { reflectInstructions, reflectQuestion } from "../reflect/reflectPrompt.ts"
import {
  defaultLimits,
  reflectInput,
  reflectOutput,
  replySchema,
  ruleVariables,
} from "../reflect/reflectSchemas.ts"
import { relaxPlan } from "../reflect/relaxPlan.ts"
import { revisedPlan, type ReflectReply } from "../reflect/revisedPlan.ts"
import { isPlainSentence, standardText } from "../reflect/thinkingText.ts"

/** What is decided on a plan. */
interface Decision {
  readonly plan: Plan
  readonly strategy: string
  readonly done: boolean
  readonly reasoning?: string
  /** The model's sentence for the user. */
  readonly message?: string
  readonly rejected?: ReadonlyArray<Rejected>
}

const unchanged = (plan: Plan, done: boolean, reasoning = ""): Decision => ({
  plan,
  strategy: "none",
  done,
  reasoning,
})

/** A call of the round reached its tool. */
const hasNewCall = ({ results: { calls } }: ReflectInput): boolean =>
  calls.some(({ from, refused }) => from === undefined && refused !== true)

/** Without a model: the steps of rules, and searches that found nothing with wider limits. */
const decideMechanically = (
  plan: Plan,
  missing: ReadonlyArray<Missing>,
  input: ReflectInput,
  { tools }: StageContext,
): Decision => {
  if (!input.mechanical) return unchanged(plan, true, "changes without a model are switched off")
  const extended = withFollowUps(plan, missing)
  const relaxed = relaxPlan(extended, emptySteps(missing), input.relax, input.round, tools)
  if (sameJson(asJson(relaxed), asJson(plan)))
    return unchanged(plan, true, "no rule changes the plan")
  return {
    plan: relaxed,
    strategy: sameJson(asJson(relaxed), asJson(extended)) ? "extend" : "relax",
    done: false,
  }
}

/** The reason why no model is asked; undefined if it is. */
const settledWithout = (
  plan: Plan,
  missing: ReadonlyArray<Missing>,
  input: ReflectInput,
): Decision | undefined => {
  if (missing.length === 0) return unchanged(plan, true)
  if (input.round + 1 >= input.rounds) return unchanged(plan, false, "this was the last round")
  return input.round > 0 && !hasNewCall(input)
    ? unchanged(plan, false, "no call of the round was new")
    : undefined
}

const askModel = Effect.fnUntraced(function* (
  plan: Plan,
  missing: ReadonlyArray<Missing>,
  input: ReflectInput,
  context: StageContext,
) {
  // Where every rule names its steps, no model is needed.
  const extended = withFollowUps(plan, missing)
  if (
    input.mechanical &&
    missing.every(({ then }) => then !== undefined) &&
    extended.steps.length > plan.steps.length
  )
    return { plan: extended, strategy: "extend", done: false } satisfies Decision
  const { queries } = input
  const tool =
    queries === undefined ? undefined : context.tools.find(({ name }) => name === queries)
  if (queries !== undefined && tool === undefined) {
    return yield* new StageFailed({
      class: "invalid_request",
      message: `there is no tool "${queries}" for queries`,
    })
  }
  const reply = (yield* context.model.json(
    {
      prompt: {
        sections: [{ id: "instructions", text: reflectInstructions(input), stable: true }],
      },
      messages: [
        { role: "user", content: reflectQuestion(input, plan, missing, context.tools) },
        ...corrections(context),
      ],
    },
    { name: "reflection", schema: replySchema(Object.keys(input.strategies), tool) },
  )) as ReflectReply
  return yield* decisionOf(reply, plan, missing, input, context)
})

const decisionOf = Effect.fnUntraced(function* (
  reply: ReflectReply,
  plan: Plan,
  missing: ReadonlyArray<Missing>,
  input: ReflectInput,
  context: StageContext,
) {
  const { reasoning = "", strategy = "relax", user_message: message = "" } = reply
  if (strategy === "none") return unchanged(plan, true, reasoning)
  const said = { reasoning, message: message.trim() }
  if (strategy === "relax") {
    const relaxed = relaxPlan(plan, emptySteps(missing), input.relax, input.round, context.tools)
    if (!sameJson(asJson(relaxed), asJson(plan)))
      return { plan: relaxed, strategy, done: false, ...said } satisfies Decision
  }
  const found = plan.steps.flatMap(({ id }) =>
    Object.hasOwn(input.results.steps, id) && !isEmptyStep(input.results, id) ? [id] : [],
  )
  const revision = revisedPlan(plan, reply, found, input.queries)
  if (revision === undefined) return unchanged(plan, true, reasoning)
  const next = yield* checkedPlan(revision.plan, plan, input, context)
  return {
    plan: next,
    strategy,
    done: false,
    ...said,
    rejected: revision.rejected,
  } satisfies Decision
})

/** The plan with its inputs repaired; fails for a changed step that cannot be executed. */
const checkedPlan = Effect.fnUntraced(function* (
  next: Plan,
  before: Plan,
  input: ReflectInput,
  context: StageContext,
) {
  const domain = domainOf(context, input.domain)
  if (domain instanceof StageFailed) return yield* domain
  const { plan } = repairPlan(next, context.tools, domain, undefined)
  const known = new Map(before.steps.map((step) => [step.id, step]))
  const isChanged = (id: string | undefined) => {
    const step = plan.steps.find((one) => one.id === id)
    const old = step === undefined ? undefined : known.get(step.id)
    return step === undefined || old === undefined || !sameJson(asJson(step), asJson(old))
  }
  const issues = lintPlan(plan, context.tools, { source: domain.source }).filter(
    ({ code, step }) => code !== "empty_plan" && isChanged(step),
  )
  if (issues.length === 0) return plan
  return yield* new StageFailed({
    class: "invalid_output",
    message: "the changed plan cannot be executed",
    detail: {
      issues: issues.map(({ message, step }) => ({ path: step ?? "plan", message })),
    },
  })
})

const settle = Effect.fnUntraced(function* (
  decision: Decision,
  before: Plan,
  missing: ReadonlyArray<Missing>,
  input: ReflectInput,
  context: StageContext,
) {
  const { plan, reasoning = "", rejected = [], strategy } = decision
  const difference = diffPlans(
    before,
    plan,
    new Map(plan.steps.map(({ id, rationale = strategy }) => [id, rationale])),
  )
  const isChanged = difference.length > 0
  // The same plan finds nothing more.
  const done = decision.done || (strategy !== "none" && !isChanged)
  const message = isChanged ? yield* emitThinking(decision, before, input, context) : ""
  const found = missing.map(({ reason, rule, step }) => ({
    rule,
    reason,
    ...(step === undefined ? {} : { step }),
  }))
  const reflection = {
    missing: found,
    strategy: isChanged ? strategy : "none",
    reasoning,
    difference: difference.map(asJson),
    done,
  }
  yield* context.note("reflection", { round: input.round, ...reflection })
  return {
    ...reflection,
    message,
    plan: asJson(plan),
    rejected: rejected.map(asJson),
    seen: callLines(input.results.calls, input.limits),
  } satisfies JsonObject as Json
})

/** Emits what is tried next for the user, before it is tried, and returns it. */
const emitThinking = (
  { message = "", plan, strategy }: Decision,
  before: Plan,
  input: ReflectInput,
  context: StageContext,
): Effect.Effect<string> => {
  const standard = standardText(strategy, input, context)
  const isPlain = isPlainSentence(message, input.request, [before, plan], context.tools)
  const text = isPlain ? message : standard
  const data = { strategy, retry: input.round + 1 }
  const shown = isPlain
    ? ({ audience: "user", text, otherwise: standard } as const)
    : ({ audience: "user", text, isAuthored: true } as const)
  return Effect.as(context.note("thinking", data, shown), text)
}

const whole = (input: ReflectInput): ReflectInput => ({
  ...input,
  limits: { ...defaultLimits, ...input.limits },
})

const reflecting = (isModel: boolean) => (given: ReflectInput, context: StageContext) =>
  Effect.gen(function* () {
    const input = whole(given)
    const plan = completePlan(input.plan)
    const missing = yield* missingIn(input, context)
    const decision =
      settledWithout(plan, missing, input) ??
      (isModel && input.enabled
        ? yield* askModel(plan, missing, input, context)
        : decideMechanically(plan, missing, input, context))
    return yield* settle(decision, plan, missing, input, context)
  })

const summaryOf = (output: Json): string => {
  const { done, message, missing, strategy } = output as {
    readonly done: boolean
    readonly message: string
    readonly missing: ReadonlyArray<{ readonly reason: string }>
    readonly strategy: string
  }
  if (missing.length === 0) return "nothing missing"
  const [first] = missing
  return [done ? "ended" : strategy, first!.reason, message].filter((one) => one !== "").join(": ")
}

/** Conditions of rules that are written out. */
const conditionsOf = (rules: Json | undefined) =>
  Array.isArray(rules)
    ? Object.fromEntries(
        rules.flatMap((rule: Json, at) =>
          isObject(rule) && typeof (rule as JsonObject)["when"] === "string"
            ? [[`rules.${at}.when`, ruleVariables] as const]
            : [],
        ),
      )
    : {}

export const reflect = stageKind<ReflectInput>({
  id: "reflect",
  summary: "Examines what a plan found, and improves the plan where something is missing.",
  sections: ["instructions"],
  input: reflectInput,
  output: reflectOutput,
  asks: () => ({ questions: [{ way: "json" }] }),
  conditions: (_, { rules }) => conditionsOf(rules),
  refers: ({ queries }) =>
    typeof queries === "string" ? [{ to: "tool", id: queries, at: ["queries"] }] : [],
  model: withSummary(reflecting(true), summaryOf),
  mechanical: withSummary(reflecting(false), summaryOf),
})
