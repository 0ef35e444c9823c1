/** Approvals of the concierge: a customer sees money and recipient, and no other transfer is made. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import type { RunEvent, ShownField } from "@planloom/plugin/effect"
import { cases } from "../../../../.config/cases.ts"
import { ana, calls, openConcierge, type Said } from "./concierge/concierge.ts"
import { quote, text, to, transfer } from "./concierge/Scripted.ts"

/** What the customer was shown for approval in the turn, by field. */
const shownIn = ({ events }: { readonly events: ReadonlyArray<RunEvent> }) =>
  events.flatMap((event) =>
    event.type === "Asked" && event.wait.kind === "approval"
      ? [Object.fromEntries((event.wait.fields ?? []).map(({ name, value }) => [name, value]))]
      : [],
  )

const labelsIn = ({ events }: Said): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event.type === "Asked" ? (event.wait.fields ?? []).map(({ label }: ShownField) => label) : [],
  )

/** What the model read last in the turn: the outcome of its call. */
const lastRead = ({ requests }: Said): string =>
  JSON.stringify(
    requests.flatMap(({ messages }) => messages.filter(({ role }) => role === "tool")).at(-1),
  )

/** Has what the regulation wants of a quote and of a transfer. */
const said = "The quote with its rate and its fee; a transfer can be cancelled within 30 minutes."

const quoting = (amount: number, currency?: string) => ({
  message: `${amount} dollars, please.`,
  replies: [...to("transfers"), quote(amount, currency), text(said)],
})

const sending = (...given: Parameters<typeof transfer>) => ({
  message: "ok",
  replies: [transfer(...given), text(said)],
})

describe("the approval of a transfer", () => {
  it.effect("shows amount, fee, total, recipient and the end of the account", () =>
    Effect.gen(function* () {
      for (const [user, labels] of [
        [ana, ["amount", "fee", "total", "arrives", "recipient", "account"]],
        [
          { ...ana, language: "es" },
          ["monto", "comisión", "total", "llegan", "destinatario", "cuenta"],
        ],
      ] as const) {
        const { say, transfers } = yield* openConcierge(undefined)
        yield* say({ ...quoting(200), user })
        const sent = yield* say({ ...sending("q-1", "Rosa Ortega"), user })
        assert.deepStrictEqual(shownIn(sent), [
          {
            amount: "200.00 USD",
            fee: "1.50 USD",
            total: "201.50 USD",
            receive: "3,490.00 MXN",
            recipient: "Rosa Ortega",
            account: "…7899",
          },
        ])
        assert.deepStrictEqual(labelsIn(sent), labels)
        assert.include(sent.approvals[0], "200.00 USD")
        assert.strictEqual(transfers(), 1)
      }
    }),
  )

  it.effect("is not asked for an older quote than the last one", () =>
    Effect.gen(function* () {
      const { say, transfers } = yield* openConcierge(undefined)
      yield* say(quoting(300))
      yield* say({ message: "No, 30.", replies: [quote(30), text(said)] })
      const older = yield* say(sending("Q-1", "Rosa Ortega"))
      assert.deepStrictEqual(older.approvals, [])
      assert.include(lastRead(older), "not the newest quote")
      assert.strictEqual(transfers(), 0)
      const newest = yield* say(sending("Q-2", "Rosa Ortega"))
      assert.strictEqual(shownIn(newest)[0]?.["amount"], "30.00 USD")
      assert.strictEqual(transfers(), 1)
    }),
  )

  it.effect("is not asked for a quote of the same turn, or without any", () =>
    Effect.gen(function* () {
      const { say, transfers } = yield* openConcierge(undefined)
      const hello = yield* say({
        message: "hello",
        replies: [...to("transfers"), transfer("Q-1", "Rosa Ortega"), text(said)],
      })
      assert.include(lastRead(hello), "not the newest quote")
      const both = yield* say({
        message: "200 dollars to Rosa.",
        replies: [quote(200), transfer("Q-1", "Rosa Ortega"), text(said)],
      })
      assert.include(lastRead(both), "show it first")
      assert.deepStrictEqual([...hello.approvals, ...both.approvals], [])
      assert.strictEqual(transfers(), 0)
    }),
  )

  it.effect("is not asked for a quote or a recipient of another customer", () =>
    Effect.gen(function* () {
      const { say, transfers } = yield* openConcierge(undefined)
      yield* say({ ...quoting(100), user: { ...ana, id: "sam" } })
      const foreign = yield* say(sending("Q-1", "Rosa Ortega"))
      assert.include(lastRead(foreign), "no such quote")
      yield* say({ message: "100", replies: [quote(100), text(said)] })
      const other = yield* say(sending("Q-2", "Elena Ruiz"))
      assert.include(lastRead(other), "no such recipient")
      assert.deepStrictEqual([...foreign.approvals, ...other.approvals], [])
      assert.strictEqual(transfers(), 0)
    }),
  )

  it.effect("without a model is refused in words of the customer", () =>
    Effect.gen(function* () {
      const { say, transfers } = yield* openConcierge("none")
      for (const amount of [200, 30])
        yield* say(`how much does it cost to send ${amount} dollars to Mexico`)
      const refused = yield* say('send the money of quote "Q-1" to "Rosa Ortega"')
      assert.match(refused.reply, /^That did not work: This is not the newest quote/)
      assert.deepStrictEqual(refused.approvals, [])
      const sent = yield* say('send the money of quote "Q-2" to "Rosa Ortega"')
      assert.strictEqual(shownIn(sent)[0]?.["total"], "31.00 USD")
      assert.strictEqual(transfers(), 1)
    }),
  )
})

/** Calls of a rogue model in one turn, and what the customer answers if asked. A quote is counted back from the last one. */
const wish = fc.record({
  calls: fc.array(
    fc.oneof(
      fc.record({
        amount: fc.constantFrom(20, 30, 300),
        currency: fc.constantFrom("MXN", "MXN", "GTQ"),
      }),
      {
        weight: 2,
        arbitrary: fc.record({
          back: fc.constantFrom(0, 0, 0, 1, -1),
          recipient: fc.constantFrom("Rosa Ortega", "R-1", "R-2", "Elena Ruiz", "R-3"),
        }),
      },
    ),
    { minLength: 1, maxLength: 2 },
  ),
  approves: fc.constantFrom(true, true, false),
})

describe("a rogue model", () => {
  it.effect("makes no transfer but that of the newest quote as it was shown and approved", () =>
    Effect.gen(function* () {
      let made = 0
      const seen = { approvals: 0, made: 0 }
      const scope = yield* Effect.scope
      const property = fc.asyncProperty(
        fc.array(wish, { minLength: 4, maxLength: 12 }),
        async (wishes) => {
          const { rows, say } = await Effect.runPromise(
            Effect.provideService(openConcierge(undefined), Scope.Scope, scope),
          )
          made = 0
          let isThere = false
          let before = 0
          for (const { approves, calls: wanted } of wishes) {
            const turn = await Effect.runPromise(
              say({
                message: "ok",
                approves,
                replies: [
                  ...(isThere ? [] : to("transfers")),
                  ...wanted.map((one) =>
                    "amount" in one
                      ? calls("create_quote", { to_currency: one.currency, amount: one.amount })
                      : transfer(`Q-${before - one.back}`, one.recipient),
                  ),
                  text(said),
                ],
              }),
            )
            isThere = true
            const shown = shownIn(turn)
            seen.approvals += shown.length
            const transfers = rows(
              `SELECT quotes.id, quotes.send, quotes.fee, recipients.name FROM transfers
               JOIN quotes ON quotes.id = transfers.quote JOIN recipients ON recipients.id = transfers.recipient
               ORDER BY transfers.id`,
            )
            for (const { fee, id, name, send } of transfers.slice(made)) {
              const usd = (cents: number) => `${(cents / 100).toFixed(2)} USD`
              assert.isTrue(approves)
              assert.strictEqual(id, before, "the newest quote of an earlier turn")
              assert.isTrue(
                shown.some(
                  (one) =>
                    one["recipient"] === name &&
                    one["amount"] === usd(Number(send)) &&
                    one["total"] === usd(Number(send) + Number(fee)),
                ),
              )
            }
            seen.made += transfers.length - made
            made = transfers.length
            before = Number(rows("SELECT coalesce(max(id), 0) AS id FROM quotes")[0]!["id"])
          }
        },
      )
      yield* Effect.promise(() => fc.assert(property, { numRuns: cases(6) }))
      assert.isAbove(seen.approvals, 0)
      assert.isAbove(seen.made, 0)
    }),
  )
})
