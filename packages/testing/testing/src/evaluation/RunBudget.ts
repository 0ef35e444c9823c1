/** The budget of an evaluation for one of its runs: remembers whether it refused a call of the run. */
import * as Effect from "effect/Effect"
import type { BudgetLedger } from "@planloom/plugin/effect"

export class RunBudget implements BudgetLedger {
  /** Whether a call was refused, whatever the run made of that. */
  hasRefused = false
  private readonly shared: BudgetLedger

  constructor(shared: BudgetLedger) {
    this.shared = shared
  }

  get measures(): boolean {
    return this.shared.measures
  }

  readonly modelCall: BudgetLedger["modelCall"] = (planned, call) =>
    Effect.suspend(() => {
      let isAdmitted = false
      return Effect.tapError(
        this.shared.modelCall(planned, (account) => {
          isAdmitted = true
          return call({
            ...account,
            again: (most) =>
              Effect.tapError(account.again(most), () =>
                Effect.sync(() => void (this.hasRefused = true)),
              ),
          })
        }),
        () => Effect.sync(() => void (this.hasRefused ||= !isAdmitted)),
      )
    })

  readonly toolCall: BudgetLedger["toolCall"] = (call) =>
    Effect.tapError(this.shared.toolCall(call), () =>
      Effect.sync(() => void (this.hasRefused = true)),
    )

  readonly spentBefore: BudgetLedger["spentBefore"] = (spent) => this.shared.spentBefore(spent)
}
