/** The engine's one model call: choices in order, within budgets. */
import * as Effect from "effect/Effect"
import {
  ModelFailed,
  type BudgetLedger,
  type ModelReply,
  type ModelRequest,
} from "@planloom/plugin/effect"
import { ratesOf, type BoundRate } from "../pipeline/limits.ts"
import type { ModelChoice } from "../pipeline/resolveModel.ts"
import { addEarlierFailures } from "./addEarlierFailures.ts"
import { emitOmittedSettings } from "./request/emitOmittedSettings.ts"
import { leadsToAnotherModel } from "./fallback.ts"
import { againWithin, modelCallWithin } from "./limit/hostBudget.ts"
import { beginModelCall, type Worst } from "./limit/Ledger.ts"
import { continueCall, withReserved, type Held } from "./limit/withReserved.ts"
import type { RequestBudgets } from "./limit/RequestTurn.ts"
import { boundOf, worstOf } from "./limit/worstOf.ts"
import type { Asked, ModelCall } from "./ModelCall.ts"
import { nameOf, recordCall } from "./recordCall.ts"
import { requestFor } from "./request/requestFor.ts"
import { fromTextTools, type TextReply } from "./request/textTools.ts"

/**
 * Calls a model with its fallbacks: tries each choice in turn, and fails with all failures, or `no_model` without
 * choices. The first call counts when this is called, not when the effect runs: suspend it.
 */
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
  return askFrom(call, choices, 0, [])
}

const askFrom = (
  call: ModelCall,
  choices: ReadonlyArray<ModelChoice>,
  index: number,
  earlier: ReadonlyArray<ModelFailed>,
): Effect.Effect<TextReply, ModelFailed> => {
  const answer = askOne(call, choices[index]!)
  if (choices.length === 1) return answer
  return Effect.catch(answer, (failure) =>
    index + 1 < choices.length && leadsToAnotherModel(failure)
      ? askFrom(call, choices, index + 1, [...earlier, failure])
      : Effect.fail(addEarlierFailures(failure, earlier)),
  )
}

const askOne = (call: ModelCall, choice: ModelChoice): Effect.Effect<TextReply, ModelFailed> => {
  const request = requestFor(call, choice)
  if (call.tools === undefined || request.tools !== undefined) {
    return requested(call, choice, request)
  }
  // A gate cannot know which of the text is a call.
  if (call.gate !== undefined) return Effect.fail(ungated(choice.name))
  // Text that may turn out to be a call is shown to no one.
  return Effect.flatMap(requested({ ...call, reader: undefined }, choice, request), (reply) =>
    fromTextTools(reply, call.ask),
  )
}

const ungated = (model: string): ModelFailed =>
  new ModelFailed({
    class: "invalid_request",
    model,
    detail: { gate: "text_calls" },
    message: `${model} calls tools in its text, which no gate can read; use a model that calls tools natively, or remove the gate`,
  })

const requested = (
  call: ModelCall,
  choice: ModelChoice,
  request: ModelRequest,
): Effect.Effect<ModelReply, ModelFailed> => {
  const { limits, site } = call
  const rates = limits === undefined ? unlimited : ratesOf(limits, choice.name, call.model?.alias)
  const asked: Asked = { call, choice, request, rates }
  emitOmittedSettings(site, call.model, choice)
  const isMeasured =
    !site.isInside &&
    (site.shared?.measures === true || site.budgets.some(({ measures }) => measures))
  const isRated = rates.some(({ tokens }) => tokens !== undefined)
  if (!isMeasured && !isRated) return counted(asked, undefined, 0)
  return sized(asked, isMeasured, isRated)
}

/** A rate is corrected soon, a budget never: only the budget needs more than what can be expected. */
const sized = Effect.fnUntraced(function* (asked: Asked, isMeasured: boolean, isRated: boolean) {
  const { choice, request } = asked
  const { facts } = choice
  const { tokens } = isRated ? yield* worstOf(request, facts) : { tokens: 0 }
  return yield* counted(asked, isMeasured ? yield* boundOf(request, facts) : undefined, tokens)
})

const unlimited: ReadonlyArray<BoundRate> = []

/**
 * Counts the call in the budgets of the run, then in the host's; reserves the most it can take where sizes are limited.
 * `tokens` are for its rates.
 */
const counted = (
  asked: Asked,
  bound: Worst | undefined,
  tokens: number,
): Effect.Effect<ModelReply, ModelFailed> => {
  const { call, choice } = asked
  const { budgets } = call.site
  if (bound !== undefined && budgets.some(({ measures }) => measures)) {
    return reserving(asked, bound, tokens)
  }
  const refused = beginModelCall(budgets, choice.name, isPriced(asked))
  return refused === undefined
    ? inHostBudget(asked, tokens, new RunBudgets(asked, bound, undefined))
    : Effect.fail(refused)
}

const isPriced = ({ choice }: Asked): boolean => choice.facts?.price !== undefined

// Functions of their own: V8 would make an object of what their closures capture for each call.

const reserving = (
  asked: Asked,
  bound: Worst,
  tokens: number,
): Effect.Effect<ModelReply, ModelFailed> =>
  withReserved(
    asked.call.site.budgets,
    asked.choice.name,
    bound,
    (owner) => emitWait(asked, owner),
    (held) => inHostBudget(asked, tokens, new RunBudgets(asked, bound, held)),
  )

const inHostBudget = (
  asked: Asked,
  tokens: number,
  budgets: RunBudgets,
): Effect.Effect<ModelReply, ModelFailed> => {
  const { shared } = asked.call.site
  return shared === undefined
    ? recordCall(asked, tokens, budgets)
    : sharing(shared, asked, tokens, budgets)
}

const sharing = (
  shared: BudgetLedger,
  asked: Asked,
  tokens: number,
  budgets: RunBudgets,
): Effect.Effect<ModelReply, ModelFailed> => {
  const { call, choice } = asked
  const { bound } = budgets
  return modelCallWithin(
    shared,
    call.site,
    nameOf(asked),
    {
      model: choice.name,
      priced: isPriced(asked),
      most: shared.measures ? bound : undefined,
      waits: () => emitWait(asked, "the host"),
    },
    (host) =>
      recordCall(asked, tokens, {
        bound,
        again: (most) => againWithin(host, call.site, budgets.again(most), most),
        book: host.book,
      }),
  )
}

/** The budgets of the run for one call, without that of a host. */
class RunBudgets implements RequestBudgets {
  readonly bound: Worst | undefined
  readonly book = undefined
  private readonly asked: Asked
  private readonly held: Held | undefined

  constructor(asked: Asked, bound: Worst | undefined, held: Held | undefined) {
    this.bound = bound
    this.asked = asked
    this.held = held
  }

  again(most: Worst | undefined): Effect.Effect<void, ModelFailed> {
    return Effect.suspend(() => {
      const { asked, held } = this
      const { call, choice } = asked
      const refused = continueCall(call.site.budgets, choice.name, isPriced(asked), held, most)
      return refused === undefined ? Effect.void : Effect.fail(refused)
    })
  }
}

const emitWait = ({ call: { site } }: Asked, owner: string): void =>
  site.emit({
    type: "Progressed",
    path: site.path,
    stage: site.stage,
    message: `waiting for calls under way: they may yet spend the budget of ${owner}`,
  })
