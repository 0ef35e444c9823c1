/** The remittance concierge of the repository: conversations with a scripted model, on a real database. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ana, calls, openConcierge, systemOf } from "./concierge/concierge.ts"

describe("the concierge", () => {
  it.effect("quotes, and sends money once a person approves", () =>
    Effect.gen(function* () {
      const { rows, say, transfers } = yield* openConcierge(undefined)
      const quoted = yield* say({
        message: "How much is it to send 200 dollars to Rosa?",
        replies: [
          calls("create_quote", { to_currency: "mxn", amount: 200 }),
          { text: "3,490.00 MXN arrive for 201.50 USD, with 1.50 USD fee." },
        ],
      })
      assert.deepStrictEqual(quoted.tools, ["create_quote"])
      const send = {
        message: "Yes, send it to Rosa.",
        replies: [
          calls("create_transfer", { quote: "Q-1", recipient: "Rosa Ortega" }),
          { text: "It is on its way." },
        ],
      }
      const refused = yield* say({ ...send, approves: false })
      assert.lengthOf(refused.approvals, 1)
      assert.strictEqual(transfers(), 0)
      const sent = yield* say(send)
      assert.strictEqual(sent.reply, "It is on its way.")
      assert.deepStrictEqual(rows("SELECT customer, quote, recipient FROM transfers"), [
        { customer: "ana", quote: 1, recipient: 1 },
      ])
    }),
  )

  it.effect("carries what tools found to the next turn", () =>
    Effect.gen(function* () {
      const { say } = yield* openConcierge(undefined)
      yield* say({
        message: "Who are my recipients?",
        replies: [calls("list_recipients"), { text: "Rosa and Mateo." }],
      })
      const { requests } = yield* say({
        message: "And the second one?",
        replies: [{ text: "Mateo." }],
      })
      assert.include(JSON.stringify(requests), "R-2")
    }),
  )

  it.effect("has the debug texts, the premium texts and the language of the user alone", () =>
    Effect.gen(function* () {
      const { say } = yield* openConcierge(undefined)
      const asked = (user: typeof ana) =>
        Effect.map(say({ message: "Hi", replies: [{ text: "Hello." }], user }), systemOf)
      const english = yield* asked(ana)
      assert.include(english, "Answer in English.")
      assert.include(english, "Offer priority support.")
      assert.notInclude(english, "DEBUG MODE ACTIVE")
      const free = yield* asked({ ...ana, id: "sam", tier: "free" })
      assert.notInclude(free, "Offer priority support.")
    }),
  )

  it.effect("switches the language when it is asked to, and keeps it", () =>
    Effect.gen(function* () {
      const { say } = yield* openConcierge(undefined)
      const asked = (message: string) =>
        Effect.map(say({ message, replies: [{ text: "Claro." }] }), systemOf)
      assert.include(yield* asked("Hablemos en español"), "Responde en español.")
      assert.include(yield* asked("¿Y ahora?"), "Responde en español.")
      assert.include(yield* asked("Now in English, please"), "Answer in English.")
    }),
  )

  it.effect("gives each user a variant of the tone that stays, of three", () =>
    Effect.gen(function* () {
      const { say } = yield* openConcierge(undefined)
      const variants = new Map<string, string>()
      for (const id of ["ana", "sam", "lucia", "ana", "sam", "lucia"]) {
        const { events } = yield* say({
          message: "Hi",
          replies: [{ text: "Hi." }],
          user: { ...ana, id },
        })
        const [variant] = events.flatMap((event) =>
          event.type === "VariantAssigned" ? [event.variant] : [],
        )
        assert.include(["control", "friendly", "professional"], variant)
        assert.strictEqual(variants.get(id) ?? variant, variant)
        variants.set(id, variant!)
      }
    }),
  )

  it.effect("refuses a user without an account", () =>
    Effect.gen(function* () {
      const { say } = yield* openConcierge(undefined)
      const { result } = yield* say({ message: "Hi", user: { ...ana, id: "eve" } })
      assert.strictEqual(result.status, "failed")
      assert.include(result.failure?.message, "There is no account for this user")
    }),
  )
})
