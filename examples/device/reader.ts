/** The reader of messages to a device: English, by rules, with the tools' own words. */
import * as Effect from "effect/Effect"
import type { Reader } from "@planloom/plugin/effect"
import { clockPlan, mechanicalPlan } from "./planning/mechanicalPlan.ts"
import { intents } from "./planning/intents.ts"
import { tellsOutcome } from "./planning/reply.ts"
import { documentOf } from "./planning/toolDocument.ts"

/** Tools looked at for one text. */
const NEAREST = 5

export const reader: Reader = {
  id: "device",
  summary: "Reads messages to a device by rules, in English.",
  intents,
  unclear: "unclear",
  withoutModel: ({ text, time, today }) => clockPlan(text, { time, today }),
  claimsResult: tellsOutcome,
  read: Effect.fnUntraced(function* (request, context) {
    const index = yield* context.index(request.tools.map(documentOf))
    const found = new Map<string, ReadonlyArray<string>>()
    const asked = new Set<string>()
    const near = (text: string) => {
      const known = found.get(text)
      if (known === undefined) asked.add(text)
      return known ?? []
    }
    // The index answers later than the plan asks it: missing answers are looked up, and the plan is made again.
    for (;;) {
      const plan = mechanicalPlan({ ...request, near })
      if (asked.size === 0) return plan
      for (const text of asked) {
        const hits = yield* index.search(text, { limit: NEAREST })
        found.set(
          text,
          hits.map(({ id }) => id),
        )
      }
      asked.clear()
    }
  }),
}
