/** The requests of one call: each that continues a paused reply counts in budgets before it is sent. */
import * as Effect from "effect/Effect"
import {
  ModelFailed,
  toFailureRecord,
  type CallAccount,
  type MayContinue,
  type ModelReply,
  type Usage,
} from "@planloom/plugin/effect"
import { costOf, less, requestUsages, worstCost, type ModelFacts } from "@planloom/plugin/facts"
import type { Asked } from "../ModelCall.ts"
import type { Worst } from "./Ledger.ts"

/** The budgets of a call. */
export interface RequestBudgets {
  /** The most that the first request takes; undefined unless a budget measures. */
  readonly bound: Worst | undefined
  /** Counts a further request, or fails with class `budget`. */
  readonly again: CallAccount["again"]
  /** Books in the budget of a host. */
  readonly book: CallAccount["book"] | undefined
}

type Reply = Omit<ModelReply, "model">

const none: ReadonlyArray<Usage> = []
const never: MayContinue = () => Effect.succeed(false)
const nothing: Usage = { input: 0, output: 0 }

export class RequestTurn {
  /** By request, in order: what is booked of it. */
  private booked: ReadonlyArray<Usage> = none
  /** Requests besides the first that were sent. */
  private continued = 0
  private isRefused = false
  private readonly asked: Asked
  private readonly budgets: RequestBudgets

  constructor(asked: Asked, budgets: RequestBudgets) {
    this.asked = asked
    this.budgets = budgets
  }

  /** No more often than the provider declares, because the estimate of a run relies on that. */
  get mayContinue(): MayContinue {
    return this.asked.choice.provider.continues === undefined ? never : (used) => this.next(used)
  }

  private next(used: Usage): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const { call, choice } = this.asked
      const { most = 0 } = choice.provider.continues?.(call.model?.options) ?? {}
      if (this.isRefused || this.continued >= most) return Effect.succeed(false)
      const last = this.booked.reduce(less, used)
      this.book(last, false)
      this.booked = [...this.booked, last]
      return Effect.match(
        this.budgets.again(larger(this.budgets.bound, used.output, choice.facts)),
        {
          onSuccess: () => {
            this.continued++
            return true
          },
          onFailure: ({ message }) => {
            this.isRefused = true
            const { path, stage } = call.site
            call.site.emit({
              type: "Progressed",
              path,
              stage,
              message: `the paused reply of ${choice.name} is not continued: ${message}`,
            })
            return false
          },
        },
      )
    })
  }

  /** Records with the outcome of the call what each of its requests took. */
  recorded(made: Effect.Effect<Reply, ModelFailed>): Effect.Effect<Reply, ModelFailed> {
    if (this.asked.choice.provider.continues === undefined) return made
    return Effect.matchEffect(made, {
      onSuccess: (reply) => Effect.succeed({ ...reply, usage: this.whole(reply.usage) }),
      onFailure: (failure) =>
        Effect.fail(
          this.continued === 0
            ? failure
            : new ModelFailed({
                ...toFailureRecord(failure),
                model: failure.model,
                usage: this.whole(failure.usage ?? nothing),
              }),
        ),
    })
  }

  /** The usage of all requests, with that of each. */
  whole(usage: Usage): Usage {
    return this.continued === 0 || usage.earlier !== undefined
      ? usage
      : { ...usage, earlier: this.booked.slice(0, this.continued) }
  }

  /** Books what is left of the usage of the call. Requests of a call that is replayed count now. */
  end(usage: Usage, unsent: boolean): void {
    const { site } = this.asked.call
    const requests = requestUsages(usage)
    const last = requests.length - 1
    for (let index = Math.min(this.booked.length, last); index <= last; index++) {
      const booked = this.booked[index]
      const one = requests[index]!
      this.book(booked === undefined ? one : less(one, booked), unsent && index === last)
    }
    const replayed = last - this.continued
    if (replayed > 0) {
      for (const ledger of site.budgets) ledger.spent.modelCalls += replayed
      site.shared?.spentBefore({ tokens: 0, cost: 0, modelCalls: replayed, toolCalls: 0 })
    }
    if (unsent) for (const ledger of site.budgets) ledger.uncountModelCall()
  }

  private book(usage: Usage, unsent: boolean): void {
    const cost = costOf(usage, this.asked.choice.facts?.price)
    for (const ledger of this.asked.call.site.budgets) ledger.book(usage, cost)
    this.budgets.book?.({ usage, cost, unsent })
  }
}

/** The most of a request that sends also what the model has written. */
const larger = (
  bound: Worst | undefined,
  written: number,
  facts: ModelFacts | undefined,
): Worst | undefined => {
  if (bound === undefined) return undefined
  const { cost, prompt, tokens } = bound
  const sent = prompt.tokens + written
  return {
    tokens: tokens + written,
    cost: cost === undefined ? undefined : cost + (worstCost(written, 0, facts) ?? 0),
    prompt: { ...prompt, tokens: sent, cost: costOf({ input: sent, output: 0 }, facts?.price) },
  }
}
