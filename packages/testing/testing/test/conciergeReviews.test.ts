/** Reviews of the concierge over a conversation: what enriches a reply comes once, also when the user asks again. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ana, openConcierge } from "./concierge/concierge.ts"

const ADDITION = "half the fee this month"
const asks = "how many pesos do I get for 500 dollars"

describe("an addition to replies", () => {
  it.effect("is made once in a session, and again in the next one", () =>
    Effect.gen(function* () {
      for (const _ of ["first", "second"]) {
        const { say } = yield* openConcierge("none")
        const first = yield* say({ message: asks, user: ana })
        assert.include(first.reply, ADDITION)
        for (const message of [asks, "what is the exchange rate for pesos", asks]) {
          const { reply } = yield* say({ message, user: ana })
          assert.include(reply, "MXN")
          assert.notInclude(reply, ADDITION)
        }
      }
    }),
  )
})
