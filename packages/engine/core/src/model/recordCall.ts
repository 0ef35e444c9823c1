/** One request to one model on record: hooks, rates, gate, usage and event. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import {
  ModelFailed,
  toFailureRecord,
  type FinishReason,
  type Json,
  type JsonObject,
  type ModelReply,
  type ModelRequest,
  type RefusedForm,
  type Usage,
} from "@planloom/plugin/effect"
import { costOf } from "@planloom/plugin/facts"
import { below, ofModel } from "@planloom/plugin/segments"
import { startNow } from "../pipeline/startNow.ts"
import { fromProvider, nothingIn, type Progress } from "./fromProvider.ts"
import { hookedRequest, reviewedReply } from "./hookModelCall.ts"
import { RequestTurn, type RequestBudgets } from "./limit/RequestTurn.ts"
import { withinRates } from "./limit/withinRates.ts"
import type { Built, CallSite } from "./CallSite.ts"
import type { Asked } from "./ModelCall.ts"
import { gatedReply } from "./gatedReply.ts"
import type { ReplyReader } from "../reply/parts/ReplyReader.ts"
import { requestFor } from "./request/requestFor.ts"
import { settleUsage, type Received } from "./settleUsage.ts"

/** The name of the record. */
export const nameOf = ({ call: { number, site }, choice }: Asked): string =>
  ofModel(below(site.attemptPath, "model", number), choice.part)

/**
 * Makes the call on record, books its usage and emits it. Waiting is inside the record, so that a replay does not wait.
 * A cancelled call counts as well, because its service may have completed it. `tokens`: the most that it is expected to take.
 */
export const recordCall = (
  asked: Asked,
  tokens: number,
  budgets: RequestBudgets,
): Effect.Effect<ModelReply, ModelFailed> => new RecordedCall(asked, tokens, budgets).whole

/** A call from its start to its end. */
class RecordedCall implements Progress {
  received: Received | undefined
  private readonly asked: Asked
  private readonly tokens: number
  private readonly turn: RequestTurn
  private readonly began: number
  /** After hooks. */
  private sent: ModelRequest
  /** Whether its service may be writing the reply. */
  private underWay: boolean

  constructor(asked: Asked, tokens: number, budgets: RequestBudgets) {
    const { request } = asked
    const { site } = asked.call
    this.received = undefined
    this.asked = asked
    this.tokens = tokens
    this.turn = new RequestTurn(asked, budgets)
    this.began = site.clock()
    this.sent = request
    this.underWay = site.replays
  }

  get whole(): Effect.Effect<ModelReply, ModelFailed> {
    const { site } = this.asked.call
    return Effect.onExitPrimitive(
      Effect.matchEffect(site.isPlain ? this.surrounded() : this.recorded(site), {
        onSuccess: (reply) => this.succeeded(reply),
        onFailure: (failure) => this.failed(failure),
      }),
      (exit) => (this.underWay && Exit.isFailure(exit) ? this.aborted(exit) : undefined),
    )
  }

  private recorded(site: CallSite): Effect.Effect<Reply, ModelFailed> {
    return site.record(
      this.name,
      this.surrounded() as unknown as Effect.Effect<Json, ModelFailed>,
      () => aboutOf(this.asked),
      true,
    ) as unknown as Effect.Effect<Reply, ModelFailed>
  }

  private get name(): string {
    return nameOf(this.asked)
  }

  private succeeded(reply: Reply): Effect.Effect<ModelReply> {
    this.underWay = false
    const { call, choice } = this.asked
    if (reply.refused !== undefined) emitRefusedForm(call.site, choice.name, reply.refused)
    if (reply.usage.estimated !== true) {
      this.finish(reply.usage, undefined, reply.finish, reply.requestId)
      return Effect.succeed({ ...reply, model: choice.name })
    }
    return Effect.map(settleUsage(reply.usage, this.sent, choice.facts, reply), (usage) => {
      this.finish(usage, undefined, reply.finish, reply.requestId)
      return { ...reply, usage, model: choice.name }
    })
  }

  private failed(given: ModelFailed): Effect.Effect<never, ModelFailed> {
    this.underWay = false
    const { choice } = this.asked
    const failure = named(given, choice.name)
    const { usage = nothing } = failure
    return Effect.flatMap(settleUsage(usage, this.sent, choice.facts, undefined), (settled) => {
      this.finish(settled, failure)
      return Effect.fail(failure)
    })
  }

  private aborted(exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> {
    const { choice } = this.asked
    return Effect.map(settleUsage(lost, this.sent, choice.facts, arrivedIn(this)), (usage) =>
      this.finish(this.turn.whole(usage), abortedCall(choice.name, Exit.hasInterrupts(exit))),
    )
  }

  private finish(
    usage: Usage,
    failure: ModelFailed | undefined,
    finish?: FinishReason,
    requestId = requestIdOf(failure),
  ): void {
    const { call, choice } = this.asked
    const { site } = call
    const cost = costOf(usage, choice.facts?.price)
    this.turn.end(usage, failure?.unsent === true)
    const at = site.clock()
    const event: Built<"ModelCalled"> = {
      type: "ModelCalled",
      seq: 0,
      at: 0,
      path: site.path,
      stage: site.stage,
      model: choice.name,
      usage,
      ms: at - this.began,
    }
    const alias = call.model?.alias
    if (alias !== undefined) event.alias = alias
    if (cost !== undefined) event.cost = cost
    if (finish !== undefined) event.finish = finish
    if (requestId !== undefined) event.requestId = requestId
    if (failure !== undefined) event.failure = toFailureRecord(failure)
    if (site.sent !== undefined && failure?.unsent !== true) {
      const { path, stage } = site
      const { mode, sections } = call
      site.sent({ path, stage, model: choice.name, mode, sections, request: this.sent })
    }
    site.emit(event, at)
  }

  /** Asks between the hooks of the stage. */
  private surrounded(): Effect.Effect<Reply, ModelFailed> {
    const { call, choice, request } = this.asked
    const { mode, sections, site } = call
    const { hooks } = site
    if (hooks === undefined || !(hooks.has("before_model") || hooks.has("after_model"))) {
      return this.ask(request)
    }
    const model = choice.name
    const hooked = { hooks, name: this.name, of: model, mode, model, sections }
    const sent = Effect.suspend(() => hookedRequest(hooked, request))
    const replied = Effect.flatMap(sent, (changed) => this.ask(changed))
    return Effect.flatMap(replied, (reply) => reviewedReply(hooked, reply))
  }

  private ask(request: ModelRequest): Effect.Effect<Reply, ModelFailed> {
    this.sent = request
    const { site } = this.asked.call
    const live = this.turn.recorded(this.live(request))
    return site.isPlain ? live : this.between(site, request, live)
  }

  private between(
    site: CallSite,
    request: ModelRequest,
    live: Effect.Effect<Reply, ModelFailed>,
  ): Effect.Effect<Reply, ModelFailed> {
    const { call, choice } = this.asked
    return site.between(this.name, live as unknown as Effect.Effect<Json, ModelFailed>, () => ({
      about: { ...request, model: choice.name } as unknown as JsonObject,
      sections: call.sections,
    })) as unknown as Effect.Effect<Reply, ModelFailed>
  }

  private live(request: ModelRequest): Effect.Effect<Reply, ModelFailed> {
    const { call, choice } = this.asked
    const { gate, reader } = call
    if (gate === undefined) {
      // A call that a record may answer, or that waits, begins later.
      return call.site.isPlain && this.isUnlimited
        ? startNow(() => this.sending(request, reader))
        : this.provided(request, reader)
    }
    // The gate holds no place in a rate, because its reviewers may ask the same model.
    const gated = gatedReply({
      model: choice.name,
      request,
      facts: choice.facts,
      progress: this,
      gate,
      ask: (reading) => this.provided(request, reading),
    })
    return Effect.suspend(() => Effect.andThen(reader?.open() ?? Effect.void, gated))
  }

  private provided(
    request: ModelRequest,
    reading: ReplyReader | undefined,
  ): Effect.Effect<Reply, ModelFailed> {
    const { call, choice, rates } = this.asked
    const { limits, site } = call
    const asking = Effect.suspend(() => this.sending(request, reading))
    return this.isUnlimited
      ? asking
      : withinRates({ site, choice, rates, breaker: limits?.breaker, tokens: this.tokens }, asking)
  }

  /** Nothing of the workflow makes the call wait. */
  private get isUnlimited(): boolean {
    const { call, rates } = this.asked
    return rates.length === 0 && call.limits?.breaker === undefined
  }

  private sending(
    request: ModelRequest,
    reading: ReplyReader | undefined,
  ): Effect.Effect<Reply, ModelFailed> {
    const { call, choice } = this.asked
    const { images } = call.site
    const { mayContinue } = this.turn
    this.underWay = true
    const answer =
      images === undefined
        ? fromProvider(choice, request, this, mayContinue, reading)
        : Effect.flatMap(images.placed(request, choice.name), (given) =>
            fromProvider(choice, given, this, mayContinue, reading),
          )
    const opening = reading?.open()
    return opening === undefined ? answer : Effect.andThen(opening, answer)
  }
}

/** What a cassette compares: the request before hooks, and the hooks. */
const aboutOf = ({ call, choice, request }: Asked): JsonObject => {
  const { site, unhooked } = call
  const asked = unhooked === undefined ? request : requestFor({ ...call, ...unhooked }, choice)
  const hooks = site.hooks?.modelIds ?? []
  return {
    ...asked,
    model: choice.name,
    ...(hooks.length === 0 ? {} : { hooks }),
  } as unknown as JsonObject
}

const emitRefusedForm = (site: CallSite, model: string, refused: RefusedForm): void => {
  const { form, message, used } = refused
  site.emit({
    type: "Progressed",
    path: site.path,
    stage: site.stage,
    message: `${model} refused JSON as ${form} and was asked for it as ${used}: ${message}`,
  })
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
  if (failure === undefined) return undefined
  const { requestId } = (failure.detail ?? {}) as { readonly requestId?: Json }
  return typeof requestId === "string" ? requestId : undefined
}

type Reply = Omit<ModelReply, "model">
