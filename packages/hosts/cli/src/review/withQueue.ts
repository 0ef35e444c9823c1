/** Opens the review queue of the project's store for a command. */
import { REVIEWS, ReviewQueue, type QueuedReview, type Refusal } from "@planloom/shadow/queue"
import type { RunStore, StoreFailed } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { problem, type Refused } from "../Refused.ts"
import { timeText } from "../runs/listRuns.ts"
import { withPrefix, withRuns } from "../runs/withRuns.ts"
import { oneLine } from "../terminal/text.ts"

export const withQueue = <A>(
  use: (queue: ReviewQueue, store: RunStore) => Effect.Effect<A, Refused | StoreFailed>,
): Effect.Effect<A, Refused> =>
  withRuns((store) =>
    store.collection === undefined
      ? Effect.fail(problem("the store of this project keeps no reviews"))
      : use(new ReviewQueue(store.collection(REVIEWS)), store),
  )

/** Finds an item by its id or a unique prefix, which the id of its run is. */
export const reviewNamed = (
  queue: ReviewQueue,
  given: string,
): Effect.Effect<QueuedReview, Refused | StoreFailed> =>
  Effect.flatMap(queue.list(), (all) => withPrefix(given, all, "review", ({ id }) => id))

export const refusedReview = (refusal: Refusal, review?: QueuedReview): Refused => {
  const { claim, decision } = review?.item ?? {}
  if (refusal === "decided" && decision !== undefined) {
    return problem(
      `the review was decided by ${oneLine(decision.by)}, ${timeText(decision.at)}: ${decision.verdict}`,
    )
  }
  if (refusal === "claimed" && claim !== undefined) {
    return problem(
      `the review is claimed by ${oneLine(claim.by)} until ${timeText(claim.until)}`,
      "claim another one: planloom review claim",
    )
  }
  return problem("there is no open review", "planloom review list")
}

/** The person of `--by`, else the user of this machine. */
export const personOf = (by: string | undefined): string => by ?? process.env["USER"] ?? "person"
