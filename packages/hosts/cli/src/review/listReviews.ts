/** Implements `planloom review list`: prints reviews, oldest first. */
import type { QueuedReview, ReviewState } from "@planloom/shadow/queue"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { usage } from "../Refused.ts"
import { timeText } from "../runs/listRuns.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { table } from "../terminal/table.ts"
import { oneLine } from "../terminal/text.ts"
import { withQueue } from "./withQueue.ts"

export interface ListReviewsFlags {
  readonly state: ReviewState | undefined
  readonly limit: number
  readonly json: boolean
}

export const listReviews: Handler<ListReviewsFlags> = ({ json, limit, state }) =>
  Effect.gen(function* () {
    if (limit < 1) return yield* usage("--limit must be at least 1")
    const all = yield* withQueue((queue) => queue.list(state))
    const found = all.slice(0, limit)
    if (json) print(JSON.stringify(found, null, 2))
    else if (found.length === 0) say(stderr.style.dim("no reviews found"))
    else print(reviewsText(found))
    return "ok" as ExitName
  })

const reviewsText = (found: ReadonlyArray<QueuedReview>): string => {
  const { style } = stdout
  return table(
    [
      { head: "review", align: "left", paint: style.name },
      { head: "state", align: "left" },
      { head: "verdict", align: "left" },
      { head: "by", align: "left" },
      { head: "reviewed", align: "left" },
      { head: "text", align: "left" },
    ],
    found.map(({ id, item, state }) => [
      oneLine(id),
      state,
      item.decision === undefined ? item.verdict : `${item.verdict} → ${item.decision.verdict}`,
      oneLine(item.decision?.by ?? (state === "claimed" ? item.claim!.by : "")),
      timeText(item.at),
      // The model was not asked where the request is blocked.
      oneLine(item.written || item.request),
    ]),
    textWidth(stdout),
    style.dim,
  ).join("\n")
}
