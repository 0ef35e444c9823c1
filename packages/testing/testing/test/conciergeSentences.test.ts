/** First sentences of a transfer, without a model: what is said is quoted, what is negated is not, and nothing is sent. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { RunEvent } from "@planloom/plugin/effect"
import { cases } from "../../../../.config/cases.ts"
import { ana, openConcierge } from "./concierge/concierge.ts"
import { inSpanish } from "./concierge/Scripted.ts"

const quotesIn = (events: ReadonlyArray<RunEvent>) =>
  events.flatMap((event) =>
    event.type === "ToolCalled" && event.stage === "reply" ? [[event.tool, event.params]] : [],
  )

const people = [
  { names: ["Rosa", "Rosa Ortega", "R-1"], currency: "MXN", en: "my mother", es: "mi madre" },
  { names: ["Mateo", "Mateo Ortega", "R-2"], currency: "GTQ", en: "my brother", es: "mi hermano" },
]

const wishes = fc
  .record({
    isSpanish: fc.boolean(),
    lead: fc.nat(3),
    verb: fc.nat(2),
    amount: fc.integer({ min: 1, max: 2500 }),
    unit: fc.nat(1),
    person: fc.constantFrom(...people),
    name: fc.nat(2),
    isRelated: fc.boolean(),
  })
  .map(({ amount, isRelated, isSpanish, lead, name, person, unit, verb }) => {
    const [leads, verbs, units] = isSpanish
      ? [
          ["", "por favor, ", "hola, quisiera ", "quiero "],
          lead > 1 ? ["enviar", "mandar", "transferir"] : ["envía", "manda", "transfiere"],
          ["", " dólares"],
        ]
      : [
          ["", "please ", "hi, I'd like to ", "I want to "],
          ["send", "send", "transfer"],
          ["", " dollars"],
        ]
    const to = isSpanish ? "a" : "to"
    const called = name < 2 && isRelated ? `${isSpanish ? person.es : person.en} ` : ""
    return {
      isSpanish,
      amount,
      currency: person.currency,
      text: `${leads[lead]}${verbs[verb]} ${amount}${units[unit]} ${to} ${called}${person.names[name]}`,
    }
  })

const guards = fc.constantFrom(
  ["don't ", "no "],
  ["never ", "nunca "],
  ["if it rains, ", "si llueve, "],
  ["unless I say no, ", "a menos que diga que no, "],
) as fc.Arbitrary<readonly [string, string]>

describe("the first sentence of a transfer", () => {
  it.effect("quotes the amount in the currency of the person, and offers to send it", () =>
    Effect.gen(function* () {
      const { say, sessions, transfers } = yield* openConcierge("none")
      const holds = fc.asyncProperty(wishes, ({ amount, currency, isSpanish, text }) =>
        Effect.runPromise(
          Effect.gen(function* () {
            yield* Effect.orDie(sessions.clear("s"))
            const user = isSpanish ? inSpanish : ana
            const { approvals, events, reply } = yield* Effect.orDie(say({ message: text, user }))
            assert.deepStrictEqual(
              quotesIn(events),
              [["create_quote", { to_currency: currency, amount }]],
              `${text}: ${reply}`,
            )
            assert.include(reply, isSpanish ? "destinatario" : "recipient", text)
            assert.deepStrictEqual(approvals, [], text)
            assert.strictEqual(transfers(), 0)
          }),
        ),
      )
      yield* Effect.promise(() => fc.assert(holds, { numRuns: cases(25) }))
    }),
  )

  it.effect("calls nothing where it is negated or under a condition", () =>
    Effect.gen(function* () {
      const { say, sessions, transfers } = yield* openConcierge("none")
      const holds = fc.asyncProperty(wishes, guards, ({ isSpanish, text }, guard) =>
        Effect.runPromise(
          Effect.gen(function* () {
            yield* Effect.orDie(sessions.clear("s"))
            const user = isSpanish ? inSpanish : ana
            const message = `${guard[isSpanish ? 1 : 0]}${text}`
            const { approvals, events, reply } = yield* Effect.orDie(say({ message, user }))
            assert.deepStrictEqual(quotesIn(events), [], `${message}: ${reply}`)
            assert.deepStrictEqual(approvals, [], message)
            assert.strictEqual(transfers(), 0)
          }),
        ),
      )
      yield* Effect.promise(() => fc.assert(holds, { numRuns: cases(25) }))
    }),
  )
})
