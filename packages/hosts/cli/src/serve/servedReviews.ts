/** The queue of reviews of the store, as the server's API offers it; its code is loaded with the first request. */
import type { JsonObject, RunStore } from "@planloom/plugin/effect"
import type { ReviewsEndpoint, ReviewTaken } from "@planloom/server"
import type { QueuedReview, Refusal, ReviewQueue } from "@planloom/shadow/queue"
import * as Effect from "effect/Effect"

/** Undefined for a store that keeps no reviews. */
export const servedReviews = (store: RunStore): ReviewsEndpoint | undefined => {
  if (store.collection === undefined) return undefined
  const collection = store.collection.bind(store)
  const queue = Effect.map(
    Effect.promise(() => import("@planloom/shadow/queue")),
    ({ REVIEWS, ReviewQueue: Queue }): ReviewQueue => new Queue(collection(REVIEWS)),
  )
  return {
    list: (state, limit) =>
      Effect.map(
        Effect.flatMap(queue, (one) => one.list(state)),
        (all) => all.slice(0, limit).map(asJson),
      ),
    show: (id) =>
      Effect.map(
        Effect.flatMap(queue, (one) => one.list()),
        (all) => {
          const found = all.find((one) => one.id === id)
          return found && asJson(found)
        },
      ),
    claim: (id, claim) => Effect.flatMap(queue, (one) => Effect.map(one.claim(id, claim), takenAs)),
    decide: (id, decision) =>
      Effect.flatMap(queue, (one) => Effect.map(one.decide(id, decision), takenAs)),
  }
}

type Taken =
  | { readonly ok: true; readonly review: QueuedReview }
  | { readonly ok: false; readonly refusal: Refusal }

const takenAs = (taken: Taken): ReviewTaken =>
  taken.ok ? { ok: true, review: asJson(taken.review) } : { ok: false, refusal: taken.refusal }

const asJson = (review: QueuedReview): JsonObject => review as unknown as JsonObject
