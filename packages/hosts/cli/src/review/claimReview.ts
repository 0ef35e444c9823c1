/** Implements `planloom review claim`: takes a review, so that no other person works on it meanwhile. */
import { parseDuration } from "@planloom/plugin/duration"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { usage } from "../Refused.ts"
import { print } from "../terminal/Screen.ts"
import { reviewText } from "./showReview.ts"
import { personOf, refusedReview, reviewNamed, withQueue } from "./withQueue.ts"

export interface ClaimReviewFlags {
  readonly id: string | undefined
  readonly by: string | undefined
  readonly duration: string
  readonly json: boolean
}

export const claimReview: Handler<ClaimReviewFlags> = ({ by, duration, id, json }) =>
  withQueue((queue) =>
    Effect.gen(function* () {
      const ms = parseDuration(duration)
      if (ms === undefined || ms <= 0) {
        return yield* usage(`--for "${duration}" is not a duration`, "30m, 2h")
      }
      const person = personOf(by)
      const taken =
        id === undefined
          ? yield* queue.claimNext(person, ms)
          : yield* queue.claim((yield* reviewNamed(queue, id)).id, {
              by: person,
              until: Date.now() + ms,
            })
      if (!taken.ok) return yield* refusedReview(taken.refusal, taken.review)
      print(json ? JSON.stringify(taken.review, null, 2) : reviewText(taken.review))
      return "ok" as ExitName
    }),
  )
