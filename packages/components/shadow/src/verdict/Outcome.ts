/** The outcome of several reviews: the most severe verdict wins, whatever the order in which they end. */
import { verdicts, type Finding, type Reviewed, type Verdict } from "@planloom/plugin/effect"

/** A review after thresholds and policies. */
export interface Judged {
  readonly reviewer: string
  /** Position among the declared reviewers. */
  readonly order: number
  readonly cause: Reviewed["cause"]
  /** What it counts as. */
  readonly finding: Finding
  readonly ms: number
}

export interface Outcome {
  readonly verdict: Verdict
  /** In declared order. */
  readonly judged: ReadonlyArray<Judged>
}

export const noReviews: Outcome = { verdict: "pass", judged: [] }

export const outcomeOf = (...judged: ReadonlyArray<Judged>): Outcome =>
  judged.reduce<Outcome>(
    (all, one) => combine(all, { verdict: one.finding.verdict, judged: [one] }),
    noReviews,
  )

/** Associative and commutative, with `noReviews` as its neutral element; never milder than either. */
export const combine = (one: Outcome, other: Outcome): Outcome => ({
  verdict: severest(one.verdict, other.verdict),
  judged: [...one.judged, ...other.judged].sort(byOrder),
})

export const severest = (one: Verdict, other: Verdict): Verdict =>
  severity(one) >= severity(other) ? one : other

export const severity = (verdict: Verdict): number => verdicts.indexOf(verdict)

/** Total: reviews of the same reviewer are compared as texts. */
const byOrder = (one: Judged, other: Judged): number => {
  if (one.order !== other.order) return one.order - other.order
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)]
  return first < second ? -1 : first > second ? 1 : 0
}
