/** A model call and the money and tokens set aside for it: it waits for others that may yet spend what is left. */
import * as Effect from "effect/Effect"
import { ModelFailed } from "@planloom/plugin"
import { BudgetAccount, type Worst } from "./Budget.ts"

/**
 * Runs a model call with the most it can take set aside in every account, and gives that back afterwards;
 * what it has cost is booked by the call itself. While others under way may spend what is left, it waits
 * for them: `waits` is told once. Interrupting it gives everything back.
 */
export const withReserved = <A, R>(
  accounts: ReadonlyArray<BudgetAccount>,
  model: string,
  worst: Worst,
  waits: (owner: string) => void,
  call: Effect.Effect<A, ModelFailed, R>,
): Effect.Effect<A, ModelFailed, R> =>
  Effect.acquireUseRelease(
    Effect.interruptible(reserved(accounts, model, worst, waits)),
    () => call,
    () => Effect.sync(() => giveBack(accounts, worst)),
  )

/** Set aside, refused for good, or the account to wait for. */
const attempt = (
  accounts: ReadonlyArray<BudgetAccount>,
  model: string,
  worst: Worst,
): true | ModelFailed | BudgetAccount => {
  for (const account of accounts) {
    const refused = account.refusesModelCall(model, worst.cost !== undefined, worst.prompt)
    if (refused !== undefined) return new ModelFailed({ ...refused, model })
  }
  const full = accounts.find((account) => account.mayBeSpent)
  if (full !== undefined) return full
  for (const account of accounts) {
    account.spent.modelCalls++
    account.reserve(worst, 1)
  }
  return true
}

const reserved = (
  accounts: ReadonlyArray<BudgetAccount>,
  model: string,
  worst: Worst,
  waits: (owner: string) => void,
): Effect.Effect<void, ModelFailed> =>
  Effect.suspend(() => {
    const first = attempt(accounts, model, worst)
    if (first === true) return Effect.void
    if (first instanceof ModelFailed) return Effect.fail(first)
    waits(first.owner)
    return Effect.callback<void, ModelFailed>((resume) => {
      let done = false
      const leave = () => {
        for (const account of accounts) account.leave(again)
      }
      const again = () => {
        const outcome = attempt(accounts, model, worst)
        if (outcome instanceof BudgetAccount) return
        leave()
        done = outcome === true
        resume(outcome === true ? Effect.void : Effect.fail(outcome))
      }
      for (const account of accounts) account.queue(again)
      return Effect.sync(() => {
        leave()
        if (done) giveBack(accounts, worst)
      })
    })
  })

const giveBack = (accounts: ReadonlyArray<BudgetAccount>, worst: Worst): void => {
  for (const account of accounts) account.reserve(worst, -1)
  for (const account of accounts) account.wake()
}
