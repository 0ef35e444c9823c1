/** The ledger of one budget in this process, of a run, a stage or a host: amounts spent, amounts reserved by calls under way, limits. */
import {
  ModelFailed,
  ToolFailed,
  type CallSize,
  type FailureRecord,
  type Spent,
  type Usage,
} from "@planloom/plugin/effect"
import { hint } from "@planloom/expression/suggestion"
import type { Budget } from "@planloom/language"
import { dollars } from "@planloom/plugin/facts"

export type Worst = CallSize
export type PromptSize = CallSize["prompt"]

/** A sum of which some parts may be endless. */
class Reserved {
  private sum = 0
  private endless = 0

  add(value: number, times: 1 | -1): void {
    if (Number.isFinite(value)) this.sum += times * value
    else this.endless += times
  }

  reaches(limit: number | undefined, spent: number): boolean {
    return limit !== undefined && (this.endless > 0 || spent + this.sum >= limit)
  }
}

/** What calls under way may spend; calls of unknown size are counted separately. */
class Reservation {
  readonly tokens = new Reserved()
  readonly cost = new Reserved()
}

const unreserved = new Reservation()

type Limits = Readonly<Partial<Budget>>

/**
 * One budget in force. A run has at most one of its own, each stage at most one more, and a host may share
 * one among runs. A call may begin while what is spent and what calls under way may spend is below the limit, and
 * its prompt alone is no more than what is left; so a limit is never exceeded by more than one call, however many
 * ask at once.
 */
export class Ledger {
  readonly spent: Spent = { tokens: 0, cost: 0, toolCalls: 0, modelCalls: 0 }
  readonly limit: Limits
  readonly owner: string
  /** Reserved for calls under way; most stages with a budget make none. */
  private reserved: Reservation | undefined
  /** Tokens of `spent` that no service reported. */
  private estimated = 0
  /** Calls that wait for others to end, first come first. */
  private waiting: Set<() => void> | undefined

  /** `limit` has been checked, with its workflow or by `budgetOf`. */
  constructor(limit: Limits, owner: string) {
    this.limit = limit
    this.owner = owner
  }

  /** Whether what a call can take must be known before it begins. */
  get measures(): boolean {
    return this.limit.tokens !== undefined || this.limit.cost_usd !== undefined
  }

  /**
   * Why a model call is refused; undefined when it is allowed. A prompt that alone takes more than is left is
   * refused whatever the calls under way will have taken: it cannot come to fit.
   */
  refusesModelCall(model: string, priced: boolean, prompt?: PromptSize): FailureRecord | undefined {
    const { limit, spent } = this
    if (limit.cost_usd !== undefined && !priced) {
      return {
        class: "budget",
        message: `the price of "${model}" is not known, so the budget of ${this.owner} (cost_usd ${limit.cost_usd}) cannot be kept; set the price in a file of kind Models and name it under model_facts in planloom.yaml`,
        detail: { key: "cost_usd", limit: limit.cost_usd, used: spent.cost, priced: false },
      }
    }
    return (
      this.spentOut(
        over("model_calls", limit.model_calls, spent.modelCalls) ??
          over("tokens", limit.tokens, spent.tokens) ??
          over("cost_usd", limit.cost_usd, spent.cost),
      ) ?? (prompt === undefined ? undefined : this.refusesPrompt(prompt))
    )
  }

  private refusesPrompt({ cost, exact, tokens }: PromptSize): FailureRecord | undefined {
    const { limit, owner, spent } = this
    const about = exact ? "" : "about "
    if (limit.tokens !== undefined && tokens > limit.tokens - spent.tokens) {
      const left = limit.tokens - spent.tokens
      return {
        class: "budget",
        message: `the prompt alone has ${about}${tokens} tokens; ${left} are left of the budget of ${owner} (tokens ${limit.tokens})`,
        detail: { key: "tokens", limit: limit.tokens, used: spent.tokens, prompt: tokens },
      }
    }
    if (limit.cost_usd !== undefined && cost !== undefined && cost > limit.cost_usd - spent.cost) {
      const left = dollars(limit.cost_usd - spent.cost)
      return {
        class: "budget",
        message: `the prompt alone has ${about}${tokens} tokens and costs ${about}$${cost}; $${left} are left of the budget of ${owner} (cost_usd ${limit.cost_usd})`,
        detail: { key: "cost_usd", limit: limit.cost_usd, used: spent.cost, prompt: cost },
      }
    }
    return undefined
  }

  /** Whether calls under way may yet spend what is left, so that another one has to wait for them. */
  get mayBeSpent(): boolean {
    const { limit, reserved = unreserved, spent } = this
    return (
      reserved.tokens.reaches(limit.tokens, spent.tokens) ||
      reserved.cost.reaches(limit.cost_usd, spent.cost)
    )
  }

  /** Why a tool call is refused; undefined when it is allowed. */
  refusesToolCall(): FailureRecord | undefined {
    return this.spentOut(over("tool_calls", this.limit.tool_calls, this.spent.toolCalls))
  }

  /** Counts `times` calls of this size as under way; -1 when one has ended. */
  reserve({ cost, tokens }: Worst, times: 1 | -1): void {
    const reserved = (this.reserved ??= new Reservation())
    reserved.tokens.add(tokens, times)
    reserved.cost.add(cost ?? 0, times)
  }

  /** Books the usage and cost of a finished call. */
  book(usage: Usage, cost: number | undefined): void {
    this.spent.tokens += usage.input + usage.output
    if (usage.estimated === true) this.estimated += usage.input + usage.output
    this.spent.cost = dollars(this.spent.cost + (cost ?? 0))
  }

  /** Removes a call that was counted when it started but was never sent. */
  uncountModelCall(): void {
    this.spent.modelCalls--
  }

  queue(again: () => void): void {
    this.waiting ??= new Set()
    this.waiting.add(again)
  }

  leave(again: () => void): void {
    this.waiting?.delete(again)
  }

  /**
   * Retries waiting calls, in the order they arrived, after a call has ended. Deferred by a microtask, so that no call
   * starts while all of them are being interrupted.
   */
  wake(): void {
    const { waiting } = this
    if (waiting === undefined || waiting.size === 0) return
    queueMicrotask(() => {
      for (const again of waiting) again()
    })
  }

  /** Explains that estimates for lost calls without a reply limit may have used up the budget. */
  private get guessed(): string {
    return this.estimated === 0
      ? ""
      : `; ${this.estimated} tokens of what is spent are estimates for calls whose services reported none; set max_tokens to bound them`
  }

  private spentOut(
    which: { readonly key: string; readonly limit: number; readonly used: number } | undefined,
  ): FailureRecord | undefined {
    if (which === undefined) return undefined
    return {
      class: "budget",
      message: `the budget of ${this.owner} is spent: ${which.key} ${which.limit}${this.guessed}`,
      detail: { key: which.key, limit: which.limit, used: which.used },
    }
  }
}

const unlimited: Budget = {
  tokens: undefined,
  cost_usd: undefined,
  tool_calls: undefined,
  model_calls: undefined,
  time: undefined,
}

/** A budget of the host. Throws TypeError unless each limit is a number: an invalid limit would be ignored silently. */
export const budgetOf = (limit: Limits): Budget => {
  for (const [key, value] of Object.entries(limit)) refuseLimit(key, value)
  return { ...unlimited, ...limit }
}

const refuseLimit = (key: string, value: unknown): void => {
  if (!Object.hasOwn(unlimited, key)) {
    throw new TypeError(
      `a budget has no "${key}"; ${hint(key, Object.keys(unlimited), "it has") ?? ""}`,
    )
  }
  if (value !== undefined && (typeof value !== "number" || Number.isNaN(value))) {
    throw new TypeError(`the budget's ${key} is a number, not ${String(value)}`)
  }
}

const over = (key: string, limit: number | undefined, used: number) =>
  limit !== undefined && used >= limit ? { key, limit, used } : undefined

/**
 * Counts the call in every ledger in force, or in none when one refuses. A call
 * whose price is not known is refused where money is limited: it could not be counted.
 */
export const beginModelCall = (
  budgets: ReadonlyArray<Ledger>,
  model: string,
  priced: boolean,
): ModelFailed | undefined => {
  for (const ledger of budgets) {
    const refused = ledger.refusesModelCall(model, priced)
    if (refused !== undefined) return new ModelFailed({ ...refused, model })
  }
  for (const ledger of budgets) ledger.spent.modelCalls++
  return undefined
}

/** The same for a tool call, which takes one call and nothing else. */
export const beginToolCall = (
  budgets: ReadonlyArray<Ledger>,
  tool: string,
): ToolFailed | undefined => {
  for (const ledger of budgets) {
    const refused = ledger.refusesToolCall()
    if (refused !== undefined) return new ToolFailed({ ...refused, tool })
  }
  for (const ledger of budgets) ledger.spent.toolCalls++
  return undefined
}

/** Books what was spent elsewhere. */
export const addSpent = (spent: Readonly<Spent>, { spent: booked }: Ledger): void => {
  booked.tokens += spent.tokens
  booked.cost = dollars(booked.cost + spent.cost)
  booked.toolCalls += spent.toolCalls
  booked.modelCalls += spent.modelCalls
}
