/** The failure of a review as events and stages have it: without a word of its reviewer. */
import { failureClasses, type FailureRecord, type Reviewed } from "@planloom/plugin/effect"

/** The kind of the failure: its message and its stack may quote what was reviewed. */
export const reportedFailure = ({
  cause,
  failure: { class: failed, detail },
  reviewer,
}: Exclude<Reviewed, { readonly cause: "verdict" }>): FailureRecord => {
  const { plain = failureClasses[failed] } = (detail ?? {}) as { readonly plain?: string }
  return {
    class: failed,
    message: `the review by "${reviewer}" failed: ${plain}`,
    detail: { reviewer, cause },
  }
}
