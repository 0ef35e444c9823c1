/** A host's budget for the runs of this process. */
import * as Effect from "effect/Effect"
import type {
  BudgetedCall,
  BudgetLedger,
  CallAccount,
  CallCost,
  ModelFailed,
  Spent,
  ToolFailed,
} from "@planloom/plugin/effect"
import type { Budget } from "@planloom/language"
import { addSpent, beginModelCall, beginToolCall, budgetOf, Ledger } from "./Ledger.ts"
import { continueCall, withReserved, type Held } from "./withReserved.ts"

export class MemoryBudgetLedger implements BudgetLedger {
  readonly limit: Budget
  private readonly ledger: Ledger

  /** `owner` is named when a call is refused. Throws TypeError unless each limit is a number. */
  constructor(limit: Partial<Budget>, owner: string) {
    this.limit = budgetOf(limit)
    this.ledger = new Ledger(this.limit, owner)
  }

  get spent(): Spent {
    return this.ledger.spent
  }

  get measures(): boolean {
    return this.ledger.measures
  }

  readonly modelCall = <A, R>(
    { model, most, priced, waits }: BudgetedCall,
    call: (account: CallAccount) => Effect.Effect<A, ModelFailed, R>,
  ): Effect.Effect<A, ModelFailed, R> =>
    Effect.suspend(() => {
      const made = (held?: Held) =>
        call({
          book: this.book,
          again: (more) =>
            Effect.suspend(() => {
              const refused = continueCall([this.ledger], model, priced, held, more)
              return refused === undefined ? Effect.void : Effect.fail(refused)
            }),
        })
      if (most !== undefined) return withReserved([this.ledger], model, most, waits, made)
      const refused = beginModelCall([this.ledger], model, priced)
      return refused === undefined ? Effect.suspend(made) : Effect.fail(refused)
    })

  readonly toolCall = ({ tool }: { readonly tool: string }): Effect.Effect<void, ToolFailed> =>
    Effect.suspend(() => {
      const refused = beginToolCall([this.ledger], tool)
      return refused === undefined ? Effect.void : Effect.fail(refused)
    })

  readonly spentBefore = (spent: Spent): void => addSpent(spent, this.ledger)

  private readonly book = ({ cost, unsent, usage }: CallCost): void => {
    this.ledger.book(usage, cost)
    if (unsent) this.ledger.uncountModelCall()
  }
}
