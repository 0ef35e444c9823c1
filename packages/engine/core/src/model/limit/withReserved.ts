/** A model call and the money and tokens set aside for it: it waits for others that may yet spend what is left. */
import * as Effect from "effect/Effect"
import { ModelFailed } from "@planloom/plugin/effect"
import { Ledger, type Worst } from "./Ledger.ts"

/**
 * Runs a model call with the most it can take set aside in every account, and gives that back afterwards;
 * what it has cost is booked by the call itself. While others under way may spend what is left, it waits
 * for them and calls `waits` once. Interruption returns everything.
 */
export const withReserved = <A, R>(
  budgets: ReadonlyArray<Ledger>,
  model: string,
  worst: Worst,
  waits: (owner: string) => void,
  call: (held: Held) => Effect.Effect<A, ModelFailed, R>,
): Effect.Effect<A, ModelFailed, R> =>
  Effect.suspend(() => {
    const held: Held = { worst }
    return Effect.acquireUseRelease(
      Effect.interruptible(reserved(budgets, model, worst, waits)),
      () => call(held),
      () => Effect.sync(() => giveBack(budgets, held.worst)),
    )
  })

/** The most of the request that is under way, which is set aside. */
export interface Held {
  worst: Worst
}

/**
 * Counts a further request of a call under way, and sets its most aside in place of what the call held; or the reason why
 * it must not be sent. It does not wait for other calls: this one may hold places in rates that they wait for.
 */
export const continueCall = (
  budgets: ReadonlyArray<Ledger>,
  model: string,
  priced: boolean,
  held: Held | undefined,
  worst: Worst | undefined,
): ModelFailed | undefined => {
  for (const account of budgets) {
    const refused = account.refusesModelCall(model, priced, worst?.prompt)
    if (refused !== undefined) return new ModelFailed({ ...refused, model })
  }
  if (held !== undefined && worst !== undefined) {
    for (const account of budgets) account.reserve(held.worst, -1)
    const full = budgets.find((account) => account.mayBeSpent)
    if (full === undefined) held.worst = worst
    for (const account of budgets) account.reserve(held.worst, 1)
    if (full !== undefined) {
      return new ModelFailed({
        class: "budget",
        model,
        message: `calls under way may yet spend the budget of ${full.owner}`,
      })
    }
  }
  for (const account of budgets) account.spent.modelCalls++
  return undefined
}

/** Set aside, refused for good, or the account to wait for. */
const attempt = (
  budgets: ReadonlyArray<Ledger>,
  model: string,
  worst: Worst,
): true | ModelFailed | Ledger => {
  for (const account of budgets) {
    const refused = account.refusesModelCall(model, worst.cost !== undefined, worst.prompt)
    if (refused !== undefined) return new ModelFailed({ ...refused, model })
  }
  const full = budgets.find((account) => account.mayBeSpent)
  if (full !== undefined) return full
  for (const account of budgets) {
    account.spent.modelCalls++
    account.reserve(worst, 1)
  }
  return true
}

const reserved = (
  budgets: ReadonlyArray<Ledger>,
  model: string,
  worst: Worst,
  waits: (owner: string) => void,
): Effect.Effect<void, ModelFailed> =>
  Effect.suspend(() => {
    const first = attempt(budgets, model, worst)
    if (first === true) return Effect.void
    if (first instanceof ModelFailed) return Effect.fail(first)
    waits(first.owner)
    return Effect.callback<void, ModelFailed>((resume) => {
      let done = false
      const leave = () => {
        for (const account of budgets) account.leave(again)
      }
      const again = () => {
        const outcome = attempt(budgets, model, worst)
        if (outcome instanceof Ledger) return
        leave()
        done = outcome === true
        resume(outcome === true ? Effect.void : Effect.fail(outcome))
      }
      for (const account of budgets) account.queue(again)
      return Effect.sync(() => {
        leave()
        if (done) giveBack(budgets, worst)
      })
    })
  })

const giveBack = (budgets: ReadonlyArray<Ledger>, worst: Worst): void => {
  for (const account of budgets) account.reserve(worst, -1)
  for (const account of budgets) account.wake()
}
