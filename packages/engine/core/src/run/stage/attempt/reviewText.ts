/** Reviews a text with subagents and validators of plugins, beside each other, as one recorded call. */
import * as Effect from "effect/Effect"
import {
  roundedConfidence,
  StageFailed,
  type Finding,
  type ReviewDraft,
  type ReviewUse,
  type StageFinding,
} from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import { reportedFailure } from "./reportedFailure.ts"
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
export const reviewText = (
  review: Review,
): Effect.Effect<ReadonlyArray<StageFinding>, StageFailed> =>
  Effect.flatMap(
    Effect.forEach(
      review.uses,
      (use, index) =>
        reviewOne(review, use, review.draft, () => below(review.name, "use", index + 1)),
      { concurrency: AT_ONCE },
    ),
    (results) => {
      const findings: Array<Finding> = []
      for (const result of results) {
        if (result.cause !== "verdict") return Effect.fail(new StageFailed(reportedFailure(result)))
        findings.push(result.finding)
      }
      const isBlocked = findings.some(({ verdict }) => verdict === "block")
      return Effect.succeed(findings.map((finding) => recorded(finding, isBlocked)))
    },
  )

/** The text of a finding is one to be shown, or it does not count. */
const recorded = (
  { confidence, rules, spans, text, verdict }: Finding,
  isBlocked: boolean,
): StageFinding => {
  const changes = !isBlocked && (verdict === "replace" || verdict === "enrich")
  return {
    verdict,
    confidence: roundedConfidence(confidence),
    ...(rules === undefined ? {} : { rules }),
    ...(changes && text !== undefined ? { text } : {}),
    ...(spans === undefined
      ? {}
      : { spans: changes ? spans : spans.map(({ end, start }) => ({ start, end })) }),
  }
}
