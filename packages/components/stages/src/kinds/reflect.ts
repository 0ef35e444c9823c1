/** Stage kind `reflect`: examines what a plan found, and improves the plan where something is missing. */
import * as Effect from "effect/Effect"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import type { Json, JsonObject, Reference, StageContext, Tool } from "@planloom/plugin/effect"
import { completePlan, diffPlans, type Modification, type Plan } from "@planloom/planning"
import { isObject } from "@planloom/schema"
import { asJson, withSummary } from "@planloom/stage-kit"
import { domainOf } from "../domainOf.ts"
import { callLines } from "../reflect/callLines.ts"
import { decideMechanically } from "../reflect/decideMechanically.ts"
import { decideWithModel } from "../reflect/decideWithModel.ts"
import { unchanged, type Decision } from "../reflect/Decision.ts"
import { isPlainSentence } from "../reflect/isPlainSentence.ts"
import { emptySteps, entitiesOf, missingIn } from "../reflect/missingIn.ts"
import type { ReflectInput } from "../reflect/ReflectInput.ts"
import type { Missing } from "../reflect/Reflection.ts"
import {
  defaultLimits,
  reflectInput,
  reflectOutput,
  ruleVariables,
} from "../reflect/reflectSchemas.ts"
import { spokenCall, type CallInWords } from "../reflect/spokenCall.ts"
import { standardText } from "../reflect/thinkingText.ts"
import { listedTools } from "../ToolChoice.ts"

/** A call of the round reached its tool. */
const hasNewCall = ({ results: { calls } }: ReflectInput): boolean =>
  calls.some(({ from, refused }) => from === undefined && refused !== true)

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

const settle = Effect.fnUntraced(function* (
  decision: Decision,
  before: Plan,
  missing: ReadonlyArray<Missing>,
  input: ReflectInput,
  context: StageContext,
) {
  const { plan, rejected = [], repairs = [], strategy } = decision
  for (const repair of repairs) yield* context.note("repair", asJson(repair))
  const difference = diffPlans(
    before,
    plan,
    new Map(plan.steps.map(({ id, rationale = strategy }) => [id, rationale])),
  )
  const isChanged = difference.length > 0
  // The same plan finds nothing more.
  const done = decision.done || (strategy !== "none" && !isChanged)
  const reasoning = [
    decision.reasoning ?? "",
    ...(isChanged || strategy === "none" ? [] : ["The plan would stay the same: it ends here."]),
  ]
    .filter((one) => one !== "")
    .join(" ")
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
  const words = inWords(missing, difference, plan, input, context.tools)
  yield* context.note("reflection", { round: input.round, ...reflection, ...words })
  return {
    ...reflection,
    message,
    plan: asJson(plan),
    rejected: rejected.map(asJson),
    seen: callLines(input.results.calls, input.limits),
  } satisfies JsonObject as Json
})

/** The round and the change for readers who know neither tools nor params. */
const inWords = (
  missing: ReadonlyArray<Missing>,
  difference: ReadonlyArray<Modification>,
  plan: Plan,
  { results }: ReflectInput,
  tools: ReadonlyArray<Tool>,
) => {
  const spoken = (calls: ReadonlyArray<CallInWords>): Json => [
    ...new Set(calls.map((call) => spokenCall(call, tools))),
  ]
  const empty = emptySteps(missing)
  const changed = difference.flatMap(({ op, step }) => (op === "remove" ? [] : [step]))
  return {
    looked_for: spoken(results.calls),
    nothing_for: spoken(results.calls.filter(({ ok, step }) => ok && empty.includes(step))),
    failed_for: spoken(results.calls.filter(({ ok }) => !ok)),
    next: spoken(plan.steps.filter(({ id }) => changed.includes(id))),
  }
}

/** Emits what is tried next for the user, before it is tried, and returns it. */
const emitThinking = (
  { message = "", plan, strategy }: Decision,
  before: Plan,
  input: ReflectInput,
  context: StageContext,
): Effect.Effect<string> => {
  const standard = standardText(strategy, input, context)
  const isPlain = isPlainSentence(message, {
    request: input.request,
    plans: [before, plan],
    tools: context.tools,
    strategies: Object.keys(input.strategies),
    terms: input.technical_terms,
  })
  const text = isPlain ? message : standard
  const data = { strategy, retry: input.round + 1 }
  const shown = isPlain
    ? ({ audience: "user", text, otherwise: standard } as const)
    : ({ audience: "user", text, isAuthored: true } as const)
  return Effect.as(context.note("thinking", data, shown), text)
}

/** With the members that a value of an expression may leave out. */
const whole = (input: ReflectInput): ReflectInput => ({
  ...input,
  results: {
    ...input.results,
    calls: input.results.calls.map((call) => ({ ...emptyCall, ...call })),
  },
  limits: { ...defaultLimits, ...input.limits },
})

const emptyCall = { params: {}, summary: "" }

const reflecting = (isModel: boolean) => (given: ReflectInput, context: StageContext) =>
  Effect.gen(function* () {
    const input = whole(given)
    const domain = domainOf(context, input.domain)
    if (domain instanceof StageFailed) return yield* domain
    const ground = { tools: context.tools, domain }
    const plan = completePlan(input.plan)
    const missing = yield* missingIn(input, context)
    const decision =
      settledWithout(plan, missing, input) ??
      (isModel && input.enabled
        ? yield* decideWithModel(plan, missing, input, ground, context)
        : decideMechanically(plan, missing, input, entitiesOf(input), ground))
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
  Object.fromEntries(
    itemsOf(rules).flatMap((rule, at) =>
      isObject(rule) && typeof (rule as JsonObject)["when"] === "string"
        ? [[`rules.${at}.when`, ruleVariables] as const]
        : [],
    ),
  )

/** The tools of steps that rules add. */
const toolsOfRules = (rules: Json | undefined): ReadonlyArray<Reference> =>
  itemsOf(rules).flatMap((rule, at) =>
    itemsOf(isObject(rule) ? (rule as JsonObject)["then"] : undefined).flatMap((step, index) => {
      const id = isObject(step) ? (step as JsonObject)["tool"] : undefined
      return typeof id === "string"
        ? [{ to: "tool", id, at: ["rules", at, "then", index, "tool"] }]
        : []
    }),
  )

const toolsOfWishes = (wishes: Json | undefined): ReadonlyArray<Reference> =>
  Object.entries(isObject(wishes) ? (wishes as JsonObject) : {}).flatMap(([name, wish]) =>
    listedTools("tools", isObject(wish) ? (wish as JsonObject)["tools"] : undefined).map(
      (found) => ({ ...found, at: ["wishes", name, ...found.at] }),
    ),
  )

const itemsOf = (value: Json | undefined): ReadonlyArray<Json> =>
  Array.isArray(value) ? (value as ReadonlyArray<Json>) : []

export const reflect = stageKind<ReflectInput>({
  id: "reflect",
  summary: "Examines what a plan found, and improves the plan where something is missing.",
  sections: ["instructions"],
  input: reflectInput,
  output: reflectOutput,
  asks: ({ open, with: { enabled, round, rounds } }) => {
    const isKnown = !open.includes("round") && !open.includes("rounds")
    const asksNothing = enabled === false || (isKnown && Number(round) + 1 >= Number(rounds))
    return asksNothing ? {} : { questions: [{ way: "json" }] }
  },
  conditions: (_, { rules }) => conditionsOf(rules),
  refers: ({ queries, rules, wishes }) => [
    ...(typeof queries === "string" ? [{ to: "tool", id: queries, at: ["queries"] }] : []),
    ...toolsOfRules(rules),
    ...toolsOfWishes(wishes),
  ],
  model: withSummary(reflecting(true), summaryOf),
  mechanical: withSummary(reflecting(false), summaryOf),
})
