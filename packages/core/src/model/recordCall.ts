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
import { fromProvider, nothingIn, type Progress } from "./fromProvider.ts"
import { hookedRequest, reviewedReply } from "./hookModelCall.ts"
import { RequestTurn, type RequestBudgets } from "./limit/RequestTurn.ts"
import { withinRates } from "./limit/withinRates.ts"
import type { Built } from "./CallSite.ts"
import type { Asked } from "./ModelCall.ts"
import { gatedReply } from "./gatedReply.ts"
import type { ReplyReader } from "@planloom/reply"
import { requestFor } from "./request/requestFor.ts"
import { settleUsage } from "./settleUsage.ts"

/** The name of the record. */
export const nameOf = ({ call: { name, site }, choice }: Asked): string =>
  ofModel(below(site.attemptPath, "model", name), choice.name)

/**
 * Makes the call on record, books its usage and emits it. Waiting is inside the record, so that a replay does not wait.
 * A cancelled call counts as well, because its service may have completed it. `tokens`: the most that it is expected to take.
 */
export const recordCall = (
  asked: Asked,
  tokens: number,
  budgets: RequestBudgets,
): Effect.Effect<ModelReply, ModelFailed> => {
  const { call, choice, facts, request } = asked
  const { site } = call
  const began = site.clock()
  const name = nameOf(asked)
  let underWay = site.replays
  const progress: Progress = { received: undefined }
  let sent = request
  const turn = new RequestTurn(asked, budgets)
  const finish = (
    usage: Usage,
    more: {
      readonly requestId?: string
      readonly finish?: FinishReason
      readonly failure?: ModelFailed
    },
  ) => {
    const cost = costOf(usage, facts?.price)
    const { failure, finish: ended, requestId = requestIdOf(failure) } = more
    turn.end(usage, failure?.unsent === true)
    const event: Built<"ModelCalled"> = {
      type: "ModelCalled",
      path: site.path,
      stage: site.stage,
      model: choice.name,
      usage,
      ms: site.clock() - began,
    }
    if (cost !== undefined) event.cost = cost
    if (ended !== undefined) event.finish = ended
    if (requestId !== undefined) event.requestId = requestId
    if (failure !== undefined) event.failure = toFailureRecord(failure)
    site.emit(event)
  }
  const { gate, reader } = call
  const provided = (hooked: ModelRequest, reading: ReplyReader | undefined) =>
    withinRates(
      {
        site,
        choice,
        rates: asked.rates,
        breaker: call.limits?.breaker,
        tokens,
      },
      Effect.suspend(() => {
        underWay = true
        const replyTo = (given: ModelRequest) =>
          fromProvider(choice, given, facts, progress, turn.mayContinue, reading)
        const answer =
          site.images === undefined
            ? replyTo(hooked)
            : Effect.flatMap(site.images.placed(hooked, choice.name), replyTo)
        const opening = reading?.open()
        return opening === undefined ? answer : Effect.andThen(opening, answer)
      }),
    )
  const live = (hooked: ModelRequest) => {
    if (gate === undefined) return provided(hooked, reader)
    // The gate holds no place in a rate, because its reviewers may ask the same model.
    const gated = gatedReply({
      model: choice.name,
      request: hooked,
      facts,
      progress,
      gate,
      ask: (reading) => provided(hooked, reading),
    })
    return Effect.suspend(() => Effect.andThen(reader?.open() ?? Effect.void, gated))
  }
  const ask = (hooked: ModelRequest) => {
    sent = hooked
    return site.between(
      name,
      turn.recorded(live(hooked)) as unknown as Effect.Effect<Json, ModelFailed>,
      () => ({
        about: { ...hooked, model: choice.name } as unknown as JsonObject,
        sections: call.sections,
      }),
    ) as unknown as ReturnType<typeof live>
  }
  return Effect.onExitPrimitive(
    Effect.matchEffect(
      site.record(
        name,
        surrounded(asked, name, ask) as unknown as Effect.Effect<Json, ModelFailed>,
        () => aboutOf(asked),
        true,
      ),
      {
        onSuccess: (given) => {
          underWay = false
          const reply = given as unknown as Omit<ModelReply, "model">
          if (reply.refused !== undefined) emitRefusedForm(asked, reply.refused)
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
            finish(turn.whole(usage), {
              failure: abortedCall(choice.name, Exit.hasInterrupts(exit)),
            }),
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

const emitRefusedForm = ({ call: { site }, choice }: Asked, refused: RefusedForm): void => {
  const { form, message, used } = refused
  site.emit({
    type: "Progressed",
    path: site.path,
    stage: site.stage,
    message: `${choice.name} refused JSON as ${form} and was asked for it as ${used}: ${message}`,
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
