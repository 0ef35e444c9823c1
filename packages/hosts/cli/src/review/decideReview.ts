/** Implements `planloom review decide`: records what the reviews of a reply should have come to. */
import type { Verdict } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { auditIn } from "../audit/noteAudit.ts"
import { viaShell } from "../audit/viaShell.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { usage } from "../Refused.ts"
import { print, say } from "../terminal/Screen.ts"
import { oneLine } from "../terminal/text.ts"
import { personOf, refusedReview, reviewNamed, withQueue } from "./withQueue.ts"

export interface DecideReviewFlags {
  readonly id: string
  readonly verdict: Verdict
  readonly text: string | undefined
  readonly note: string | undefined
  readonly by: string | undefined
  readonly json: boolean
}

export const decideReview: Handler<DecideReviewFlags> = ({ by, id, json, note, text, verdict }) =>
  withQueue((queue, store) =>
    Effect.gen(function* () {
      if (text !== undefined && (verdict === "pass" || verdict === "flag")) {
        return yield* usage(
          `--text has no place with the verdict ${verdict}, which leaves the text as it was written`,
          "--verdict replace --text '…'",
        )
      }
      const found = yield* reviewNamed(queue, id)
      const taken = yield* queue.decide(found.id, {
        verdict,
        ...(text === undefined ? {} : { text }),
        ...(note === undefined ? {} : { note }),
        by: personOf(by),
        via: viaShell(),
        at: Date.now(),
      })
      if (!taken.ok) return yield* refusedReview(taken.refusal, taken.review)
      const about = { review: taken.review.id, verdict }
      yield* auditIn(store, { action: "review_decided", by: personOf(by), about })
      if (json) print(JSON.stringify(taken.review, null, 2))
      else say(`decided: ${oneLine(taken.review.id)}: ${verdict}`)
      return "ok" as ExitName
    }),
  )
