/** The failure of a review as events and stages have it: without a word of its reviewer. */
import { failureClasses, type FailureRecord, type Reviewed } from "@planloom/plugin/effect"

/** The kind of the failure, and where it was thrown: its message may quote what was reviewed. */
export const reportedFailure = ({
  cause,
  failure: { class: failed, detail },
  reviewer,
}: Exclude<Reviewed, { readonly cause: "verdict" }>): FailureRecord => {
  const { frames, plain = failureClasses[failed] } = (detail ?? {}) as {
    readonly frames?: string
    readonly plain?: string
  }
  return {
    class: failed,
    message: `the review by "${reviewer}" failed: ${plain}`,
    detail: { reviewer, cause, ...(frames ? { stack: frames } : {}) },
  }
}
