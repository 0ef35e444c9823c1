/** Reviews a text with subagents and validators of plugins, beside each other, as one recorded call. */
import * as Effect from "effect/Effect"
import {
  StageFailed,
  type Finding,
  type ReviewDraft,
  type ReviewUse,
} from "@planloom/plugin/effect"
import { reviewOne, type ReviewSite } from "./reviewOne.ts"

/** Reviewers that run at once. */
const AT_ONCE = 4

export interface Review extends ReviewSite {
  /** Name of the call in the record. */
  readonly name: string
  readonly uses: ReadonlyArray<ReviewUse>
  readonly draft: ReviewDraft
}

/** The findings in the order of `uses`. All reviewers end before the first failure of one fails the call. */
export const reviewText = (review: Review): Effect.Effect<ReadonlyArray<Finding>, StageFailed> =>
  Effect.flatMap(
    Effect.forEach(
      review.uses,
      (use, index) => reviewOne(review, use, review.draft, () => `${review.name}/${index + 1}`),
      { concurrency: AT_ONCE },
    ),
    (results) => {
      const findings: Array<Finding> = []
      for (const result of results) {
        if (result.cause !== "verdict") return Effect.fail(new StageFailed(result.failure))
        findings.push(result.finding)
      }
      return Effect.succeed(findings)
    },
  )
