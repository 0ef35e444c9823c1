/** `plan --max-cost`: whether the worst case of a run stays within an amount. */
import type { Estimate } from "@planloom/estimate"
import { money } from "../terminal/quantity.ts"

/** The reason why a run may cost more than `limit` US dollars; `undefined` if it cannot. A budget of the workflow stops the run, so it is a limit, too. */
export const costGate = (
  { budget }: { readonly budget?: { readonly cost_usd?: number | undefined } | undefined },
  { worst }: Pick<Estimate, "worst">,
  limit: number,
): string | undefined => {
  const { calls, cost } = worst.total
  const stop = budget?.cost_usd ?? Infinity
  const most = calls.most === 0 ? 0 : Math.min(cost?.most ?? Infinity, stop)
  if (most <= limit) return undefined
  if (Number.isFinite(most)) return `a run may cost ${money(most)}`
  if (cost === undefined) return "the price of a model is not known"
  return "no upper limit of the cost is known before the run"
}
