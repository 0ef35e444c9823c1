/** Figures of reviewers: how their verdicts compare with the decisions of people. */
import type { Verdict } from "@planloom/plugin/effect"
import { severest } from "../verdict/Outcome.ts"
import type { QueuedReview } from "./ReviewItem.ts"

export interface ReviewerFigures {
  readonly reviewer: string
  /** Decided items that it gave a verdict on. */
  readonly decided: number
  /** Share of them with the same verdict as the person's; null without any. */
  readonly agreement: number | null
  /** Of the items that it did not pass, the share that the person did not pass either; null without any. */
  readonly precision: number | null
  /** Of the items that the person did not pass, the share that it did not pass; null without any. */
  readonly recall: number | null
  /** Reviews without a verdict: late, failed or unusable. */
  readonly failed: number
}

interface Counts {
  decided: number
  same: number
  /** Items that neither passed. */
  both: number
  reviewer: number
  person: number
  failed: number
}

/** By reviewer, in alphabetical order. Items without a decision do not count. */
export const reviewFigures = (
  reviews: ReadonlyArray<QueuedReview>,
): ReadonlyArray<ReviewerFigures> => {
  const known = new Map<string, Counts>()
  for (const { item } of reviews) {
    const { decision, findings } = item
    if (decision === undefined) continue
    for (const [reviewer, own] of Map.groupBy(findings, (one) => one.reviewer)) {
      const counts = known.get(reviewer) ?? newCounts()
      known.set(reviewer, counts)
      // A reviewer reads a replaced text again.
      const verdicts = own.flatMap(({ cause, verdict }) => (cause === "verdict" ? [verdict] : []))
      if (verdicts.length > 0) count(counts, verdicts.reduce(severest), decision.verdict)
      counts.failed += own.length - verdicts.length
    }
  }
  return [...known].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(figuresOf)
}

const newCounts = (): Counts => ({
  decided: 0,
  same: 0,
  both: 0,
  reviewer: 0,
  person: 0,
  failed: 0,
})

const count = (counts: Counts, reviewer: Verdict, person: Verdict): void => {
  counts.decided++
  if (reviewer === person) counts.same++
  if (reviewer !== "pass") counts.reviewer++
  if (person !== "pass") counts.person++
  if (reviewer !== "pass" && person !== "pass") counts.both++
}

const figuresOf = ([reviewer, counts]: readonly [string, Counts]): ReviewerFigures => ({
  reviewer,
  decided: counts.decided,
  agreement: share(counts.same, counts.decided),
  precision: share(counts.both, counts.reviewer),
  recall: share(counts.both, counts.person),
  failed: counts.failed,
})

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
