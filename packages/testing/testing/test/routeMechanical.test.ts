/** Turns of a conversation without a model: routing by the index, questions, flows, and writes that are never guessed. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { routed } from "./routeWorld.ts"

const say = (request: string, options: Parameters<typeof routed>[1] = {}) =>
  Effect.map(routed([], { ...options, model: false, request }), (turn) => {
    assert.deepStrictEqual(turn.outcome._tag, "Success", JSON.stringify(turn.outcome))
    return turn
  })

/** Request, language, agent in charge after it. */
const routes: ReadonlyArray<readonly [string, string, string]> = [
  ["What is the exchange rate today?", "en", "rates"],
  ["how many pesos is a dollar", "en", "rates"],
  ["I would like to send money to my mother", "en", "transfers"],
  ["¿Cuál es el tipo de cambio?", "es", "rates"],
  ["¿A cuánto está el dólar hoy?", "es", "rates"],
  ["Quiero enviar dinero a mi madre", "es", "transfers"],
  ["Quiero hablar con una persona", "es", "person"],
  ["I want to talk to a person", "en", "person"],
]

describe("a turn of a conversation without a model", () => {
  it.effect.each(routes)("finds the agent for %s", ([request, language, agent]) =>
    Effect.gen(function* () {
      const { output } = yield* say(request, { language })
      assert.strictEqual(output.agent, agent)
      assert.strictEqual(output.escalated, agent === "person")
    }),
  )

  it.effect("calls a tool that reads when every word has a use, in both languages", () =>
    Effect.gen(function* () {
      for (const [request, language] of [
        ["What is the exchange rate?", "en"],
        ["¿Cuál es el tipo de cambio?", "es"],
      ] as const) {
        const { called, output } = yield* say(request, { language })
        assert.deepStrictEqual(called, ["get_rate"])
        assert.strictEqual(output.text, "One dollar is 18.50 pesos.")
      }
    }),
  )

  it.effect("asks which agent is meant, accepts the answer, and serves the first request", () =>
    Effect.gen(function* () {
      const first = yield* say("qwerty zxcvb", { language: "es" })
      assert.isTrue(first.output.asks)
      assert.strictEqual(
        first.output.text,
        "¿A cuál de estas opciones se refiere: Tipos de cambio, Envíos, Una persona?",
      )
      const second = yield* say("tipos de cambio", { language: "es", current: first.output.place })
      assert.strictEqual(second.output.agent, "rates")
      assert.isFalse(second.output.asks)
    }),
  )

  it.effect("puts no question twice, and says what it can do instead", () =>
    Effect.gen(function* () {
      const first = yield* say("qwerty zxcvb")
      const second = yield* say("asdfg hjkl", { current: first.output.place })
      assert.isFalse(second.output.asks)
      assert.strictEqual(
        second.output.text,
        "I did not understand that. I can help with: Rates, Transfers, A person.",
      )
    }),
  )

  it.effect("offers the agent it starts with if that one does more than greet", () =>
    Effect.gen(function* () {
      for (const [start, offered] of [
        ["welcome", "Rates, Transfers, A person"],
        ["rates", "Welcome, Rates, Transfers, A person"],
      ] as const) {
        const first = yield* say("qwerty zxcvb", { start })
        assert.strictEqual(first.output.text, `Which of these do you mean: ${offered}?`)
        const second = yield* say("asdfg hjkl", { start, current: first.output.place })
        assert.strictEqual(
          second.output.text,
          `I did not understand that. I can help with: ${offered}.`,
        )
      }
    }),
  )

  it.effect("asks between agents that are equally near", () =>
    Effect.gen(function* () {
      const { output } = yield* say("exchange rate of a transfer of money", {
        given: "margin: 1",
      })
      assert.isTrue(output.asks)
      assert.include(output.text, "Rates")
      assert.include(output.text, "Send money now")
    }),
  )

  it.effect("asks for a missing value and uses the answer", () =>
    Effect.gen(function* () {
      const current = { agent: "transfers" }
      const first = yield* say("make a quote", { current })
      assert.strictEqual(first.output.text, "Price of a transfer: which amount?")
      assert.deepStrictEqual(first.called, [])
      const second = yield* say("what is the exchange rate", { current: first.output.place })
      assert.deepStrictEqual(second.called, ["get_rate"])
      const third = yield* say("200 dollars", { current: first.output.place })
      assert.deepStrictEqual(third.called, ["create_quote"])
      const whole = yield* say("quote for 200 dollars", { current })
      assert.deepStrictEqual(whole.called, ["create_quote"])
    }),
  )

  it.effect("never moves money on a guess", () =>
    Effect.gen(function* () {
      const current = { agent: "transfers" }
      for (const [request, language] of [
        ["send 200 dollars unless it rains", "en"],
        ["did you send 200 dollars", "en"],
        ["do not send 200 dollars", "en"],
        ["send 200 dollars to whoever asks", "en"],
        ["no envíes 200 dólares", "es"],
        ["si llueve envía 200 dólares", "es"],
        ["ya envié 200 dólares", "es"],
        ["envía 200 dólares a quien quieras", "es"],
        ["send everything", "en"],
        ["envía todo", "es"],
      ] as const) {
        const { asked, called } = yield* say(request, {
          current,
          language,
          given: "auto_approve: [create_transfer]",
        })
        assert.deepStrictEqual([called, asked], [[], []], request)
      }
    }),
  )

  it.effect("asks a person before a transfer of which every word is understood", () =>
    Effect.gen(function* () {
      for (const [request, language, question] of [
        ["send 200 dollars", "en", "Send money: do you approve?"],
        ["Por favor, envía 200 dólares", "es", "Enviar dinero: ¿lo aprueba?"],
      ] as const) {
        const current = { agent: "transfers" }
        const turn = yield* routed([], { model: false, request, language, current })
        assert.deepStrictEqual(turn.called, [])
        assert.deepStrictEqual(turn.asked, [question])
      }
    }),
  )

  it.effect("leads through a flow by its declared transitions", () =>
    Effect.gen(function* () {
      const options = { given: "auto_approve: [create_transfer]" }
      const start = yield* say("I want to send money now", options)
      assert.deepStrictEqual(start.output.place, {
        agent: "transfers",
        flow: "send",
        state: "amount",
      })
      assert.strictEqual(start.output.text, "How much would you like to send?")
      const quoted = yield* say("quote for 200 dollars", {
        ...options,
        current: start.output.place,
      })
      assert.strictEqual(quoted.output.state, "confirm")
      assert.strictEqual(
        quoted.output.text,
        "The fee is 3 dollars.\nSend money (amount 200): is that right?",
      )
      const other = yield* say("another amount", { ...options, current: quoted.output.place })
      assert.strictEqual(other.output.state, "amount")
      const sent = yield* say("send 200 dollars", { ...options, current: quoted.output.place })
      assert.deepStrictEqual(sent.called, ["create_transfer"])
      assert.deepStrictEqual(sent.output.place, { agent: "transfers" })
    }),
  )

  it.effect("names tools, values and agents in the language of the turn", () =>
    Effect.gen(function* () {
      const current = { agent: "transfers" }
      for (const [request, language, reply] of [
        ["cotización, por favor", "es", "Precio de un envío: ¿qué monto?"],
        [
          "cotización de 0 dólares",
          "es",
          "No es posible con este valor: monto 0. No se hizo nada.",
        ],
        [
          "quote for 0 dollars",
          "en",
          "That is not possible with this value: amount 0. Nothing was done.",
        ],
        ["hola", "es", "¿En qué puedo ayudar?"],
      ] as const) {
        const { output } = yield* say(request, { language, current })
        assert.strictEqual(output.text, reply)
      }
    }),
  )

  it.effect("answers a message that asks for nothing new, and stops when it is asked to", () =>
    Effect.gen(function* () {
      const flow = { agent: "transfers", flow: "send", state: "amount" }
      for (const [request, language, current, reply, place] of [
        ["Yes, please!", "en", null, /^There is nothing to confirm or continue/, "welcome"],
        ["vale", "es", null, /^No hay nada que confirmar/, "welcome"],
        ["thanks a lot", "en", flow, /^You are welcome/, "send"],
        ["Hi!", "en", flow, /^How can I help/, "send"],
        ["go on", "en", flow, /^How much/, "send"],
        ["no, forget it", "en", flow, /^All right, nothing was done/, "transfers"],
        ["olvídalo, gracias", "es", flow, /^De acuerdo, no se hizo nada/, "transfers"],
      ] as const) {
        const { called, output } = yield* say(request, { language, current })
        assert.match(output.text, reply, request)
        assert.strictEqual(output.flow === "" ? output.agent : output.flow, place, request)
        assert.deepStrictEqual(called, [])
      }
    }),
  )

  it.effect("shows the host who is in charge once for each place", () =>
    Effect.gen(function* () {
      const current = { agent: "rates" }
      const { events } = yield* say("I want to send money now", { current })
      const notes = events.flatMap((event) =>
        event.type === "Noted" && event.note === "in_charge" ? [event.text] : [],
      )
      assert.strictEqual(new Set(notes).size, notes.length, notes.join("; "))
      assert.include(notes.at(-1), "Send money now")
    }),
  )

  it.effect("interrupts a flow for a question of another agent, and continues it", () =>
    Effect.gen(function* () {
      const current = { agent: "transfers", flow: "send", state: "amount" }
      const person = yield* say("I want to talk to a person", { current })
      assert.strictEqual(person.output.agent, "person")
      const aside = yield* say("wait, how many pesos is a dollar", {
        current: { ...current, state: "confirm" },
      })
      assert.strictEqual(aside.output.agent, "rates")
      const back = yield* say("ok, go on", { current: aside.output.place })
      assert.deepStrictEqual(back.output.place, { ...current, state: "confirm" })
      assert.strictEqual(back.output.text, "Shall I send it?")
    }),
  )

  it.effect(
    "answers two questions of different agents in one message, but no wish beside one",
    () =>
      Effect.gen(function* () {
        const both = yield* say("what is the exchange rate and quote for 200 dollars")
        assert.deepStrictEqual(both.called, ["get_rate", "create_quote"])
        const spanish = yield* say("¿cuál es el tipo de cambio y cotización de 200 dólares?", {
          language: "es",
        })
        assert.deepStrictEqual(spanish.called, ["get_rate", "create_quote"])
        for (const request of [
          "what is the exchange rate and send 200 dollars",
          "what is the exchange rate and blorp the zork",
        ]) {
          const { asked, called } = yield* say(request, {
            given: "auto_approve: [create_transfer]",
          })
          assert.deepStrictEqual([called, asked], [[], []], request)
        }
      }),
  )

  it.effect("refuses a tool that the state of the flow does not allow", () =>
    Effect.gen(function* () {
      const { called, output } = yield* say("send 200 dollars", {
        current: { agent: "transfers", flow: "send", state: "amount" },
        given: "auto_approve: [create_transfer]",
      })
      assert.deepStrictEqual(called, [])
      assert.strictEqual(output.state, "amount")
    }),
  )
})
