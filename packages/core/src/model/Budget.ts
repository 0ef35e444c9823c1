/** What a run or a stage may still spend: counters beside their limits, checked before each call. */
import { ToolFailed, ModelFailed, type FailureRecord, type Usage } from "@planloom/plugin"
import type { Budget } from "../definition/Definition.ts"

/** What has been spent. `cost` is in US dollars. */
export interface Spent {
  tokens: number
  cost: number
  toolCalls: number
  modelCalls: number
}

/** One budget in force. A run has at most one of its own, and each stage at most one more. */
export class BudgetAccount {
  readonly spent: Spent = { tokens: 0, cost: 0, toolCalls: 0, modelCalls: 0 }
  readonly limit: Budget
  readonly owner: string

  constructor(limit: Budget, owner: string) {
    this.limit = limit
    this.owner = owner
  }

  /** Why a model call may not begin any more; undefined when it may. */
  refusesModelCall(model: string, priced: boolean): FailureRecord | undefined {
    const { limit, spent } = this
    if (limit.cost_usd !== undefined && !priced) {
      return {
        class: "budget",
        message: `the price of "${model}" is not known, so the budget of ${this.owner} (cost_usd ${limit.cost_usd}) cannot be kept; say the price in a file of kind Models and name it under model_facts in planloom.yaml`,
        detail: { key: "cost_usd", limit: limit.cost_usd, used: spent.cost },
      }
    }
    return this.spentOut(
      over("model_calls", limit.model_calls, spent.modelCalls) ??
        over("tokens", limit.tokens, spent.tokens) ??
        over("cost_usd", limit.cost_usd, spent.cost),
    )
  }

  /** Why a tool call may not begin any more; undefined when it may. */
  refusesToolCall(): FailureRecord | undefined {
    return this.spentOut(over("tool_calls", this.limit.tool_calls, this.spent.toolCalls))
  }

  /** Books what a finished call cost. */
  book(usage: Usage, cost: number | undefined): void {
    this.spent.tokens += usage.input + usage.output
    this.spent.cost += cost ?? 0
  }

  private spentOut(
    which: { readonly key: string; readonly limit: number; readonly used: number } | undefined,
  ): FailureRecord | undefined {
    if (which === undefined) return undefined
    return {
      class: "budget",
      message: `the budget of ${this.owner} is spent: ${which.key} ${which.limit}`,
      detail: { key: which.key, limit: which.limit, used: which.used },
    }
  }
}

const over = (key: string, limit: number | undefined, used: number) =>
  limit !== undefined && used >= limit ? { key, limit, used } : undefined

/**
 * Asks every account in force and counts the call in all of them, or in none when one refuses. A call
 * whose price is not known is refused where money is limited: it could not be counted.
 */
export const beginModelCall = (
  accounts: ReadonlyArray<BudgetAccount>,
  model: string,
  priced: boolean,
): ModelFailed | undefined => {
  for (const account of accounts) {
    const refused = account.refusesModelCall(model, priced)
    if (refused !== undefined) return new ModelFailed({ ...refused, model })
  }
  for (const account of accounts) account.spent.modelCalls++
  return undefined
}

/** The same for a tool call. */
export const beginToolCall = (
  accounts: ReadonlyArray<BudgetAccount>,
  tool: string,
): ToolFailed | undefined => {
  for (const account of accounts) {
    const refused = account.refusesToolCall()
    if (refused !== undefined) return new ToolFailed({ ...refused, tool })
  }
  for (const account of accounts) account.spent.toolCalls++
  return undefined
}
