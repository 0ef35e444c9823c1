/** Items of the review queue: replies whose reviews a person decides on. */
import type { Entry, Json, Reviewed, Verdict } from "@planloom/plugin/effect"
import type { ReviewerReplies } from "./ReviewerReplies.ts"

/** The collection that holds the queue. */
export const REVIEWS = "reviews"

export type ReviewState = "open" | "claimed" | "decided"

/**
 * Texts are redacted: `[email]` for an address, `[card]` for the number of a card. Personal inputs and the user's texts
 * are placeholders, as in the record of the run.
 */
export interface ReviewItem {
  /** Epoch milliseconds of the review. */
  readonly at: number
  readonly run: string
  readonly path: string
  readonly stage: string
  readonly session?: string
  /** Digest of the id of the run's user. */
  readonly user?: string
  readonly request: string
  /** What the model wrote; empty where the request is blocked. */
  readonly written: string
  /** What the model thought before it wrote; absent without any, and for a reply that was read no further. */
  readonly reasoning?: string
  /** The text is one of a value that was shown, such as a field of a JSON reply. */
  readonly of?: "value"
  /** What the user got, if it is another text. */
  readonly shown?: string
  readonly verdict: Verdict
  readonly findings: ReadonlyArray<QueuedFinding>
  /** Replies of the reviewers' models, as scripts of a test. */
  readonly replies?: ReviewerReplies
  /** SHA-256 of the section's value: which reviewers and policies judged. */
  readonly config: string
  readonly claim?: ReviewClaim
  readonly decision?: ReviewDecision
}

export interface QueuedFinding {
  readonly reviewer: string
  readonly cause: Reviewed["cause"]
  /** What the finding counts as. */
  readonly verdict: Verdict
  readonly confidence: number
  readonly reason: string
}

export interface ReviewClaim {
  readonly by: string
  /** Epoch milliseconds; the item is open again from then on. */
  readonly until: number
}

/** What a person says that the reviews should have come to. */
export interface ReviewDecision {
  readonly verdict: Verdict
  /** The text that the user should have got. */
  readonly text?: string
  readonly note?: string
  readonly by: string
  /** The API key, user or shell that it came through. */
  readonly via?: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface QueuedReview {
  /** `<run>/<path>/<digest of the text>`. */
  readonly id: string
  readonly state: ReviewState
  readonly version: number
  readonly item: ReviewItem
}

/** An entry of the collection as it stands at a time: an expired claim no longer counts. */
export const queuedReview = ({ key, value, version }: Entry, now: number): QueuedReview => {
  const item = value as unknown as ReviewItem
  const { claim, decision } = item
  const state =
    decision !== undefined
      ? "decided"
      : claim !== undefined && claim.until > now
        ? "claimed"
        : "open"
  return { id: key, state, version, item }
}

export const itemValue = (item: ReviewItem): Json => item as unknown as Json
