/** What a run spent before a resume: attempts that are answered from the record count against budgets again. */
import { type BudgetLedger, type RunEvent, type Spent } from "@planloom/plugin/effect"
import { isMadeCall, requestsOf } from "@planloom/plugin/facts"
import { isBelow, isPathWithin, parseAttemptName } from "@planloom/plugin/segments"
import { addSpent, type Ledger } from "../../model/limit/Ledger.ts"
import { isBetweenAttempts } from "./EmittedEvents.ts"

/** By stage occurrence and by attempt; repeated calls count themselves. */
export class PriorSpending {
  /** By path, then by how often the stage had been tried before. */
  private readonly spent = new Map<string, Array<Spent | undefined>>()
  /** Of `spent`, what models of reviewers took: they have no record, and count in addition to their repetition. */
  private readonly reviews = new Map<string, Array<Spent | undefined>>()
  private readonly tries = new Map<string, number>()
  /** By cancelled calls: they have no record, and count in addition to their repetition. */
  private readonly lost: Spent = { tokens: 0, cost: 0, toolCalls: 0, modelCalls: 0 }

  private readonly shared: BudgetLedger | undefined

  /** What is booked counts in the host's budget, too. */
  constructor(earlier: ReadonlyArray<RunEvent>, shared?: BudgetLedger) {
    this.shared = shared
    for (const event of earlier) {
      this.observe(event)
      if (event.type === "ModelCalled") {
        const isCancelled = event.failure?.class === "cancelled"
        const spent = isCancelled
          ? this.lost
          : this.at(event.path, event.reviewer === undefined ? this.spent : this.reviews)
        spent.modelCalls += requestsOf(event)
        spent.tokens += event.usage.input + event.usage.output
        spent.cost += event.cost ?? 0
      }
      if (event.type === "ToolCalled" && isMadeCall(event)) {
        this.at(event.path, this.spent).toolCalls++
      }
    }
    this.tries.clear()
  }

  /** Books what cancelled calls may have used, in the budgets of the whole run. */
  bookLost(budgets: ReadonlyArray<Ledger>): void {
    this.add(this.lost, budgets)
  }

  /** Follows the attempts of stages; called with every event, replayed or new. */
  observe(event: RunEvent): void {
    if ("path" in event && isBetweenAttempts(event)) {
      this.tries.set(event.path, this.triesOf(event.path) + 1)
    }
  }

  /** Books what the attempt of this name spent, with the workflows inside it. Each is booked once. */
  book(path: string, name: string, budgets: ReadonlyArray<Ledger>): void {
    this.bookReviews(path, budgets)
    const own = this.spent.get(path)
    const number = this.triesOf(path)
    this.add(own?.[number], budgets)
    if (own !== undefined) own[number] = undefined
    for (const all of [this.spent, this.reviews]) {
      for (const [inner, spent] of all) {
        if (!isBelow(inner, name)) continue
        const rest = inner.slice(path.length + 1)
        if (parseAttemptName(rest).within !== name.slice(path.length + 1)) continue
        for (const one of spent) this.add(one, budgets)
        all.delete(inner)
      }
    }
  }

  /** Books what reviewers spent in the attempt that the stage is at, whether or not it is made again. */
  bookReviews(path: string, budgets: ReadonlyArray<Ledger>): void {
    const own = this.reviews.get(path)
    const number = this.triesOf(path)
    this.add(own?.[number], budgets)
    if (own !== undefined) own[number] = undefined
  }

  /** Books what was spent below a path that is not replayed; an empty path stands for the whole run. */
  bookWithin(root: string, budgets: ReadonlyArray<Ledger>): void {
    for (const all of [this.spent, this.reviews]) {
      for (const [path, spent] of all) {
        if (root !== "" && !isPathWithin(path, root)) continue
        for (const one of spent) this.add(one, budgets)
        all.delete(path)
      }
    }
  }

  private triesOf(path: string): number {
    return this.tries.get(path) ?? 0
  }

  private at(path: string, spent: Map<string, Array<Spent | undefined>>): Spent {
    const all = spent.get(path) ?? []
    spent.set(path, all)
    return (all[this.triesOf(path)] ??= { tokens: 0, cost: 0, toolCalls: 0, modelCalls: 0 })
  }

  private add(spent: Spent | undefined, budgets: ReadonlyArray<Ledger>): void {
    if (spent === undefined) return
    for (const ledger of budgets) addSpent(spent, ledger)
    this.shared?.spentBefore(spent)
  }
}
