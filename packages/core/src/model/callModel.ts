/** The engine's one model call: choices in order, budget, record, event. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  ModelFailed,
  toFailureRecord,
  type Json,
  type JsonObject,
  type ModelReply,
  type ModelRequest,
  type Section,
  type Usage,
  type CallCost,
} from "@planloom/plugin/effect"
import { costOf, factsOf } from "@planloom/plugin/facts"
import type { Facts, ModelFacts } from "@planloom/plugin/facts"
import { modelCallWithin } from "./limit/hostBudget.ts"
import { beginModelCall, type Worst } from "./limit/Ledger.ts"
import type { CallSite } from "./CallSite.ts"
import { ratesOf, type BoundRate, type PipelineLimits } from "../pipeline/limits.ts"
import type { ModelChoice } from "../pipeline/resolveModel.ts"
import { emitOmittedSettings } from "./emitOmittedSettings.ts"
import { leadsToAnotherModel } from "./fallback.ts"
import { fromProvider, nothingIn, type Progress } from "./fromProvider.ts"
import { hookedRequest, reviewedReply } from "./hookModelCall.ts"
import type { ReplyReader } from "./reply/ReplyReader.ts"
import { requestOf, type Question } from "./requestOf.ts"
import { fromTextTools, needsTextTools, toTextTools, type TextReply } from "./textTools.ts"
import { settleUsage } from "./settleUsage.ts"
import { withinRates } from "./limit/withinRates.ts"
import { throughGate, type ReplyGate } from "./reply/throughGate.ts"
import { withReserved } from "./limit/withReserved.ts"
import { worstOf } from "./limit/worstOf.ts"

export interface ModelCall extends Question {
  readonly site: CallSite
  /** Unique within the attempt. */
  readonly name: string
  readonly facts: Facts
  readonly limits: PipelineLimits | undefined
  /** Reads the reply while it is written. */
  readonly reader: ReplyReader | undefined
  /** Decides which of the reply's text its stage and its host receive. */
  readonly gate: ReplyGate | undefined
  /** What `system` was made of. */
  readonly sections: ReadonlyArray<Section>
  /** Prompt mode; empty without one. */
  readonly mode: string
  /** The request without its hooks, for a cassette: its answers do not depend on them. */
  readonly unhooked: Pick<Question, "system" | "tools"> | undefined
}

/** Calls a model with its fallbacks: tries each choice in turn, and fails with the last failure, or `no_model` without choices. */
export const callModel = (call: ModelCall): Effect.Effect<TextReply, ModelFailed> => {
  const choices = call.model?.choices ?? []
  if (choices.length === 0) {
    return Effect.fail(
      new ModelFailed({
        class: "no_model",
        model: "none",
        message: `no model is configured for stage "${call.site.stage}"`,
      }),
    )
  }
  return askFrom(call, choices, 0)
}

const askFrom = (
  call: ModelCall,
  choices: ReadonlyArray<ModelChoice>,
  index: number,
): Effect.Effect<TextReply, ModelFailed> => {
  const answer = askOne(call, choices[index]!)
  if (index + 1 >= choices.length) return answer
  return Effect.catch(answer, (failure) =>
    leadsToAnotherModel(failure) ? askFrom(call, choices, index + 1) : Effect.fail(failure),
  )
}

const askOne = (call: ModelCall, choice: ModelChoice): Effect.Effect<TextReply, ModelFailed> =>
  Effect.suspend(() => {
    const facts = factsOf(choice.name, call.facts)
    const request = requestFor(call, choice, facts)
    if (call.tools === undefined || request.tools !== undefined) {
      return requested(call, choice, facts, request)
    }
    // A gate cannot know which of the text is a call.
    if (call.gate !== undefined) return Effect.fail(ungated(choice.name))
    // Text that may turn out to be a call is shown to no one.
    return Effect.flatMap(
      requested({ ...call, reader: undefined }, choice, facts, request),
      (reply) => fromTextTools(reply, call.ask),
    )
  })

const ungated = (model: string): ModelFailed =>
  new ModelFailed({
    class: "invalid_request",
    model,
    message: `${model} calls tools in its text, which no gate can read; use a model that calls tools natively, or remove the gate`,
  })

/** Tools that the model does not call natively are described in text. */
const requestFor = (
  question: Question,
  choice: ModelChoice,
  facts: ModelFacts | undefined,
): ModelRequest => {
  const request = requestOf(question, choice, facts)
  return facts !== undefined && needsTextTools(request, facts)
    ? toTextTools(request, facts)
    : request
}

const requested = (
  call: ModelCall,
  choice: ModelChoice,
  facts: ModelFacts | undefined,
  request: ModelRequest,
): Effect.Effect<ModelReply, ModelFailed> => {
  const { limits, site } = call
  const rates = limits === undefined ? unlimited : ratesOf(limits, choice.name, call.model?.alias)
  const asked: Asked = { call, choice, facts, request, rates }
  emitOmittedSettings(call.site, call.model, choice, facts)
  const isMeasured = site.shared?.measures === true || site.budgets.some(({ measures }) => measures)
  if (!isMeasured && !rates.some(({ tokens }) => tokens !== undefined)) {
    return counted(asked, undefined)
  }
  return Effect.flatMap(worstOf(request, facts), (worst) => counted(asked, worst))
}

const unlimited: ReadonlyArray<BoundRate> = []

/** One request to one model, and what must be kept on the way. */
interface Asked {
  readonly call: ModelCall
  readonly choice: ModelChoice
  readonly facts: ModelFacts | undefined
  readonly request: ModelRequest
  readonly rates: ReadonlyArray<BoundRate>
}

/** Counts the call in the budgets of the run, then in the host's; reserves the most it can take where sizes are limited. */
const counted = (
  asked: Asked,
  worst: Worst | undefined,
): Effect.Effect<ModelReply, ModelFailed> => {
  const { call, choice, facts } = asked
  const { budgets, shared } = call.site
  const priced = facts?.price !== undefined
  const ask = () =>
    shared === undefined
      ? recorded(asked, worst, undefined)
      : modelCallWithin(
          shared,
          call.site,
          nameOf(asked),
          {
            model: choice.name,
            priced,
            most: shared.measures ? worst : undefined,
            waits: () => emitWait(asked, "the host"),
          },
          (book) => recorded(asked, worst, book),
        )
  if (worst !== undefined && budgets.some(({ measures }) => measures)) {
    const waits = (owner: string) => emitWait(asked, owner)
    return withReserved(budgets, choice.name, worst, waits, Effect.suspend(ask))
  }
  const refused = beginModelCall(budgets, choice.name, priced)
  return refused === undefined ? ask() : Effect.fail(refused)
}

const nameOf = ({ call: { name, site }, choice }: Asked): string =>
  `${site.attemptPath}/model:${name}:${choice.name}`

const emitWait = ({ call: { site } }: Asked, owner: string): void =>
  site.emit({
    type: "Progressed",
    path: site.path,
    stage: site.stage,
    message: `waiting for calls under way: they may yet spend the budget of ${owner}`,
  })

/**
 * Makes the call on record, books its usage and emits it. Waiting is inside the record, so that a replay does not wait.
 * A cancelled call counts as well, because its service may have completed it.
 */
const recorded = (
  asked: Asked,
  worst: Worst | undefined,
  book: ((cost: CallCost) => void) | undefined,
): Effect.Effect<ModelReply, ModelFailed> => {
  const { call, choice, facts, request } = asked
  const { site } = call
  const began = site.clock()
  const name = nameOf(asked)
  let underWay = site.replays
  const progress: Progress = { received: undefined }
  let sent = request
  const finish = (
    usage: Usage,
    more: { readonly requestId?: string; readonly failure?: ModelFailed },
  ) => {
    const cost = costOf(usage, facts?.price)
    const { failure, requestId = requestIdOf(failure) } = more
    const unsent = failure?.unsent === true
    for (const ledger of site.budgets) {
      ledger.book(usage, cost)
      if (unsent) ledger.uncountModelCall()
    }
    book?.({ usage, cost, unsent })
    site.emit({
      type: "ModelCalled",
      path: site.path,
      stage: site.stage,
      model: choice.name,
      usage,
      ...(cost === undefined ? {} : { cost }),
      ms: site.clock() - began,
      ...(requestId === undefined ? {} : { requestId }),
      ...(failure === undefined ? {} : { failure: toFailureRecord(failure) }),
    })
  }
  const ask = (hooked: ModelRequest) =>
    withinRates(
      {
        site,
        choice,
        rates: asked.rates,
        breaker: call.limits?.breaker,
        tokens: worst?.tokens ?? 0,
      },
      Effect.suspend(() => {
        underWay = true
        sent = hooked
        const { gate, reader } = call
        const answer =
          gate === undefined
            ? fromProvider(choice, hooked, facts, progress, reader)
            : throughGate(choice, hooked, facts, progress, gate)
        const opening = reader?.open()
        return opening === undefined ? answer : Effect.andThen(opening, answer)
      }),
    )
  return Effect.onExitPrimitive(
    Effect.matchEffect(
      site.record(
        name,
        surrounded(asked, name, ask) as unknown as Effect.Effect<Json, ModelFailed>,
        () => aboutOf(asked),
      ),
      {
        onSuccess: (given) => {
          underWay = false
          const reply = given as unknown as Omit<ModelReply, "model">
          return Effect.mapEager(settleUsage(reply.usage, sent, facts, reply), (usage) => {
            finish(usage, reply)
            return { ...reply, usage, model: choice.name }
          })
        },
        onFailure: (given) => {
          underWay = false
          const failure = named(given, choice.name)
          const { usage = nothing } = failure
          return Effect.flatMap(settleUsage(usage, sent, facts, undefined), (settled) => {
            finish(settled, { failure })
            return Effect.fail(failure)
          })
        },
      },
    ),
    (exit) =>
      underWay && Exit.isFailure(exit)
        ? Effect.map(settleUsage(lost, sent, facts, arrivedIn(progress)), (usage) =>
            finish(usage, { failure: abortedCall(choice.name, Exit.hasInterrupts(exit)) }),
          )
        : undefined,
  )
}

/** Asks between the hooks of the stage. */
const surrounded = (
  { call, choice, request }: Asked,
  name: string,
  ask: (request: ModelRequest) => Effect.Effect<Reply, ModelFailed>,
): Effect.Effect<Reply, ModelFailed> => {
  const { mode, sections, site } = call
  const { hooks } = site
  if (hooks === undefined || !(hooks.has("before_model") || hooks.has("after_model"))) {
    return ask(request)
  }
  const model = choice.name
  const hooked = { hooks, name, of: model, mode, model, sections }
  const sent = Effect.suspend(() => hookedRequest(hooked, request))
  return Effect.flatMap(Effect.flatMap(sent, ask), (reply) => reviewedReply(hooked, reply))
}

/** What a cassette compares: the request before hooks, and the hooks. */
const aboutOf = ({ call, choice, facts, request }: Asked): JsonObject => {
  const { site, unhooked } = call
  const asked =
    unhooked === undefined ? request : requestFor({ ...call, ...unhooked }, choice, facts)
  const hooks = site.hooks?.modelIds ?? []
  return {
    ...asked,
    model: choice.name,
    ...(hooks.length === 0 ? {} : { hooks }),
  } as unknown as JsonObject
}

/** Providers may say no more than their own name of the model. */
const named = (failure: ModelFailed, model: string): ModelFailed =>
  failure.model === model ? failure : new ModelFailed({ ...toFailureRecord(failure), model })

/** Of a reply that was broken off before any of it arrived, its length is unknown. */
const arrivedIn = ({ received }: Progress) =>
  received === undefined || nothingIn(received) ? undefined : received

const nothing: Usage = { input: 0, output: 0 }
const lost: Usage = { ...nothing, estimated: true }

const abortedCall = (model: string, interrupted: boolean): ModelFailed =>
  new ModelFailed({
    class: interrupted ? "cancelled" : "internal",
    model,
    message: interrupted
      ? "the call was cancelled before its reply arrived"
      : "the provider ended with a defect",
  })

/** Providers put the request id into the detail of a failure. */
const requestIdOf = (failure: ModelFailed | undefined): string | undefined => {
  const { requestId } = (failure?.detail ?? {}) as { readonly requestId?: Json }
  return typeof requestId === "string" ? requestId : undefined
}

type Reply = Omit<ModelReply, "model">
