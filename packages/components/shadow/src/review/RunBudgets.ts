/** What the reviewers of each run have used. */
import type { ReviewCost } from "@planloom/plugin/effect"
import type { ShadowConfig } from "../ShadowConfig.ts"

/** Runs whose use is known; the oldest are forgotten. */
const MAX_RUNS = 10_000

export class RunBudgets {
  private readonly limit: ShadowConfig["budget"]
  private readonly spent = new Map<string, { tokens: number; usd: number }>()

  constructor(limit: ShadowConfig["budget"]) {
    this.limit = limit
  }

  isSpent(run: string): boolean {
    const spent = this.spent.get(run)
    const { cost_usd = Infinity, tokens = Infinity } = this.limit ?? {}
    return spent !== undefined && (spent.tokens >= tokens || spent.usd >= cost_usd)
  }

  book(run: string, cost: ReviewCost | undefined): void {
    if (cost === undefined || this.limit === undefined) return
    const spent = this.spent.get(run) ?? { tokens: 0, usd: 0 }
    spent.tokens += cost.tokens
    spent.usd += cost.usd
    this.spent.delete(run)
    this.spent.set(run, spent)
    if (this.spent.size > MAX_RUNS) this.spent.delete(this.spent.keys().next().value!)
  }
}
