/** The conversation of the remittance concierge with a real llama.cpp server: words without sense, on real tools. */
import { afterAll, assert, describe, it } from "vitest"
import * as Effect from "effect/Effect"
import { openConcierge } from "./concierge/concierge.ts"
import { conversation } from "./concierge/script.ts"
import { llamaServer, ownModel } from "./llama/LlamaServer.ts"
import { matrix } from "./llama/matrix.ts"
import { providerAt } from "./llama/runOnLlama.ts"

/** A model of one's own writes each reply to its longest length. */
const messages =
  ownModel === undefined ? conversation : conversation.filter((_, index) => index % 4 === 0)

matrix({ afterAll, describe, it }, "llama.cpp: the concierge", (row) => {
  row("its conversation in both languages, every approval refused, sends nothing", async () => {
    await using server = await llamaServer({
      template: "hermes",
      model: { word: "find", calls: true },
    })
    const provider = await providerAt(server)
    const talk = Effect.gen(function* () {
      const { say, transfers } = yield* openConcierge(provider)
      let called = 0
      let asked = 0
      for (const { message, user } of messages) {
        const given = { message, approves: false, ...(user === undefined ? {} : { user }) }
        const { events, result, tools } = yield* say(given)
        assert.strictEqual(result.status, "succeeded", `${message}: ${result.failure?.message}`)
        assert.strictEqual(transfers(), 0, message)
        called += tools.length
        // A slow machine takes longer than the reviewers may, and a model of this size writes until it is cut.
        const invalid = result.degraded.filter(
          ({ cut, reason }) => cut !== true && !reason.includes("it took longer"),
        )
        assert.deepStrictEqual(invalid, [], message)
        asked += events.filter(({ type }) => type === "ModelCalled").length
      }
      assert.isAtLeast(asked, messages.length)
      return `${messages.length} turns, ${asked} requests, ${called} tool calls`
    })
    // Returned before, the server would be stopped while it is asked.
    const figures = await Effect.runPromise(Effect.scoped(talk))
    return figures
  })
})
