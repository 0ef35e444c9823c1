/** Adds replies to the review queue whose reviews found something or failed, and a sample of the others. */
import { hash } from "node:crypto"
import * as Effect from "effect/Effect"
import { userDigest, type GateContext, type Json } from "@planloom/plugin/effect"
import type { About } from "../review/Panel.ts"
import { isSampled, shareOf } from "../review/sampling.ts"
import type { ShadowConfig } from "../ShadowConfig.ts"
import type { Outcome } from "../verdict/Outcome.ts"
import { redactor } from "./redactText.ts"
import { REVIEWS, type ReviewItem } from "./ReviewItem.ts"
import { mapTexts, type ReviewerReplies } from "./ReviewerReplies.ts"
import { ReviewQueue } from "./ReviewQueue.ts"

export interface ReviewedReply {
  readonly written: string
  /** What the user got. */
  readonly text: string
  readonly outcome: Outcome
  readonly replies: ReviewerReplies
}

/** The queue of a section. A store that fails does not fail the reply: the failure is noted. */
export const queueReply = (
  config: ShadowConfig,
): ((reply: ReviewedReply, about: About, context: GateContext) => Effect.Effect<void>) => {
  const digest = hash("sha256", JSON.stringify(config))
  const share = shareOf(config.queue_sample ?? "0%")
  return (reply, about, context) => {
    const { hidePersonal, path, run } = context
    // A gate without reviewers, as that of `async` alone, has reviewed nothing.
    const isChosen = reply.outcome.judged.length > 0 && isSampled("queue", `${run}/${path}`, share)
    if (!isNotable(reply.outcome) && !isChosen) return Effect.void
    return Effect.flatMap(redactor, (redact) =>
      Effect.catchTag(
        new ReviewQueue(context.collection(REVIEWS)).add(
          itemOf(reply, about, context, digest, (text) => hidePersonal(redact(text))),
        ),
        "StoreFailed",
        ({ message }) => context.note("review_not_queued", { message }),
      ),
    )
  }
}

/** A model that was never there is no news: each reply would be in the queue. */
const isNotable = ({ judged }: Outcome): boolean =>
  judged.some(
    ({ cause, finding }) =>
      cause !== "verdict" || (finding.verdict !== "pass" && finding.unjudged !== true),
  )

const itemOf = (
  { outcome, replies, text, written }: ReviewedReply,
  { request }: About,
  { isValue, now, path, reasoning = "", run, session, stage = "", user }: GateContext,
  config: string,
  redact: (text: string) => string,
): ReviewItem => {
  const digest = userDigest(user)
  return {
    at: now,
    run,
    path,
    stage,
    ...(session === undefined ? {} : { session: session.id }),
    ...(digest === undefined ? {} : { user: digest }),
    request: redact(request),
    written: redact(written),
    ...(reasoning === "" ? {} : { reasoning: redact(reasoning) }),
    ...(isValue === true ? { of: "value" as const } : {}),
    ...(text === written ? {} : { shown: redact(text) }),
    verdict: outcome.verdict,
    findings: outcome.judged.map(({ cause, finding, reviewer }) => ({
      reviewer,
      cause,
      verdict: finding.verdict,
      confidence: finding.confidence,
      reason: redact(finding.reason),
    })),
    ...(Object.keys(replies).length === 0
      ? {}
      : { replies: mapTexts(redact)(replies as unknown as Json) as unknown as ReviewerReplies }),
    config,
  }
}
