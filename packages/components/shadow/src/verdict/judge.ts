/** A review → what it counts as: thresholds of confidence, policies for reviewers that fail, findings that cannot act. */
import type {
  Finding,
  ReviewDraft,
  Reviewed,
  ReviewerFacts,
  Verdict,
} from "@planloom/plugin/effect"
import type { FailurePolicy, ShadowConfig } from "../ShadowConfig.ts"
import { severity, type Judged } from "./Outcome.ts"

type Policies = Pick<ShadowConfig, "confidence" | "on_error" | "on_timeout">

/** A reviewer in use. */
export interface Reviewer {
  readonly facts: ReviewerFacts
  readonly order: number
}

export const judge = (
  reviewed: Reviewed,
  { facts, order }: Reviewer,
  policies: Policies,
): Judged => ({
  reviewer: reviewed.reviewer,
  order,
  cause: reviewed.cause,
  ms: reviewed.ms,
  finding:
    reviewed.cause === "verdict"
      ? confident(reviewed.finding, thresholdOf(facts, policies))
      : {
          verdict: policyOf(reviewed.cause, facts, policies),
          confidence: 1,
          reason: reviewed.failure.message,
        },
})

/** A finding below the threshold counts as a flag: it changes nothing, and never passes. */
const confident = (finding: Finding, threshold: number): Finding => {
  if (finding.confidence >= threshold) return finding
  const { confidence, issues, reason } = finding
  return { verdict: "flag", confidence, reason, ...(issues === undefined ? {} : { issues }) }
}

const thresholdOf = (
  { class: protects, id }: ReviewerFacts,
  { confidence = 0 }: Policies,
): number =>
  typeof confidence === "number" ? confidence : (confidence[id] ?? confidence[protects] ?? 0)

export const failureCauses = ["timeout", "error", "invalid"] as const

/** That of the id goes before that of its class. An error counts as a timeout does unless `on_error` says otherwise. */
export const policyOf = (
  cause: (typeof failureCauses)[number],
  { class: protects, id }: ReviewerFacts,
  { on_error = {}, on_timeout = {} }: Policies,
): FailurePolicy => {
  const late = on_timeout[id] ?? on_timeout[protects] ?? defaultPolicy(protects)
  return cause === "timeout" ? late : (on_error[id] ?? on_error[protects] ?? late)
}

const defaultPolicy = (protects: ReviewerFacts["class"]): FailurePolicy =>
  protects === "safety" || protects === "compliance" ? "block" : "flag"

/** A finding that cannot be acted on is a failure of its reviewer. */
export const usable = (
  reviewed: Reviewed,
  at: ReviewerFacts["at"],
  draft: ReviewDraft,
): Reviewed => {
  if (reviewed.cause !== "verdict") return reviewed
  const message = reasonAgainst(reviewed.finding, at, draft.text.length)
  if (message === undefined) return reviewed
  const { finding: _, ...about } = reviewed
  return {
    ...about,
    cause: "invalid",
    failure: {
      class: "internal",
      message: `the review by "${reviewed.reviewer}" failed: ${message}`,
      detail: { plain: message },
    },
  }
}

const reasonAgainst = (
  { spans = [], text, verdict }: Finding,
  at: ReviewerFacts["at"],
  length: number,
): string | undefined => {
  if (spans.some(({ end, start }) => start > end || end > length)) {
    return "a span of its finding is not in the text"
  }
  if (!changes(verdict)) return undefined
  if (at === "input") return `a request cannot be changed, and its verdict is "${verdict}"`
  if (at === "window" && spans.length === 0) return `its verdict "${verdict}" says no place`
  return text === undefined && spans.length === 0
    ? `its verdict "${verdict}" comes with no text`
    : undefined
}

const changes = (verdict: Verdict): boolean =>
  severity(verdict) > severity("flag") && verdict !== "block"
