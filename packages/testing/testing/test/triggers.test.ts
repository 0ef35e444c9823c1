/** Runs that schedules and webhooks start: times, downtime, several processes, signatures and repeated messages. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { webhookKey } from "@planloom/server"
import { cases } from "../../../../.config/cases.ts"
import { loadInline, problemsOf } from "./inlineWorkflow.ts"
import { during, inputsIn, send, serve, sign, type Message } from "./servedTriggers.ts"

const serving = (body: string) =>
  Effect.flatMap(loadInline(body), ({ pipeline }) =>
    serve(pipeline, join(mkdtempSync(join(tmpdir(), "planloom-on-")), "runs.db")),
  )

const hourly = (missed: string) => `inputs: { time: { type: string } }
on: { schedule: [{ cron: "0 * * * *", missed: ${missed}, inputs: { time: "\${{ schedule.at }}" } }] }
stages: [{ id: one, uses: set, with: { value: "\${{ inputs.time }}" } }]
`

const hour = (n: number) => ({ time: `1970-01-01T0${n}:00:00.000Z` })

describe("a schedule", () => {
  it.effect("starts a run at each of its times, with inputs of the time", () =>
    Effect.gen(function* () {
      const served = yield* serving(hourly("once"))
      yield* during(served, "3 hours")
      assert.deepStrictEqual(yield* inputsIn(served), [hour(1), hour(2), hour(3)])
    }).pipe(Effect.scoped),
  )

  it.effect.each([
    ["once", [hour(1), hour(4)]],
    ["skip", [hour(1)]],
    ["all", [hour(1), hour(2), hour(3), hour(4)]],
  ] as const)("after downtime starts runs as missed: %s says", ([missed, expected]) =>
    Effect.gen(function* () {
      const served = yield* serving(hourly(missed))
      yield* during(served, "90 minutes")
      yield* TestClock.adjust("3 hours")
      yield* during(served, "1 minute")
      assert.deepStrictEqual(yield* inputsIn(served), [...expected])
    }).pipe(Effect.scoped),
  )

  it.effect("starts each run once for several processes on a store", () =>
    Effect.gen(function* () {
      const served = yield* serving(hourly("all"))
      yield* during(served, "2 hours", 3)
      assert.deepStrictEqual(yield* inputsIn(served), [hour(1), hour(2)])
    }).pipe(Effect.scoped),
  )
})

const hooked = `inputs: { number: { type: integer } }
secrets: [HOOK_KEY]
on:
  webhook:
    secret: HOOK_KEY
    body: { type: object, required: [order], properties: { order: { type: integer } } }
    inputs: { number: "\${{ body.order }}" }
stages: [{ id: one, uses: set, with: { value: "\${{ inputs.number }}" } }]
`

describe("a webhook", () => {
  it.effect("starts a run with inputs from the body, once for each message", () =>
    Effect.gen(function* () {
      const served = yield* serving(hooked)
      const first = yield* send(served)
      assert.strictEqual(first.status, 202)
      const again = yield* send(served)
      assert.strictEqual(again.status, 200)
      assert.strictEqual(again.body.run, first.body.run)
      yield* send(served, { id: "msg_2", body: '{"order": 8}' })
      assert.deepStrictEqual(yield* inputsIn(served), [{ number: 7 }, { number: 8 }])
    }).pipe(Effect.scoped),
  )

  it.effect("refuses a wrong signature, an old message, and bodies that do not fit", () =>
    Effect.gen(function* () {
      const served = yield* serving(hooked)
      const now = Math.floor(Date.now() / 1000)
      const statusOf = (message: Message) =>
        Effect.map(send(served, message), ({ status }) => status)
      assert.strictEqual(yield* statusOf({ signature: sign("msg_1", now, "{}") }), 401)
      assert.strictEqual(yield* statusOf({ signature: sign("msg_2", now, '{"order": 7}') }), 401)
      const other = sign("msg_1", now, '{"order": 7}', "another key")
      assert.strictEqual(yield* statusOf({ signature: other, time: now }), 401)
      assert.strictEqual(yield* statusOf({ signature: "v1," }), 401)
      assert.strictEqual(yield* statusOf({ time: now - 310 }), 401)
      assert.strictEqual(yield* statusOf({ time: now + 310 }), 401)
      assert.strictEqual(yield* statusOf({ body: `{"order": 7, "x": "${"x".repeat(99)}"}` }), 413)
      assert.strictEqual(yield* statusOf({ body: "order=7" }), 400)
      assert.strictEqual(yield* statusOf({ body: '{"order": "7"}' }), 422)
      assert.strictEqual(yield* statusOf({ body: "{}" }), 422)
      assert.deepStrictEqual(yield* inputsIn(served), [])
    }).pipe(Effect.scoped),
  )

  it.effect("accepts a key in base64, as senders write it", () =>
    Effect.gen(function* () {
      const served = yield* serving(hooked)
      const [workflow] = served.workflows.values()
      const key = "0123456789abcdef0123456789abcdef"
      const webhookSecrets = [`whsec_${Buffer.from(key).toString("base64")}`]
      const workflows = new Map([["inline", { ...workflow!, webhookSecrets }]])
      const time = Math.floor(Date.now() / 1000)
      const signature = sign("msg_1", time, '{"order": 7}', key)
      const { status } = yield* send(
        { ...served, workflows },
        { signature, time, body: '{"order": 7}' },
      )
      assert.strictEqual(status, 202)
    }).pipe(Effect.scoped),
  )

  it.effect("accepts two keys while one is exchanged, and no other", () =>
    Effect.gen(function* () {
      const served = yield* serving(hooked)
      const [workflow] = served.workflows.values()
      const keys = ["the key of yesterday, which is known", "the key of today, which is also known"]
      const workflows = new Map([["inline", { ...workflow!, webhookSecrets: keys }]])
      const time = Math.floor(Date.now() / 1000)
      const body = '{"order": 7}'
      const statusOf = (id: string, key: string) =>
        Effect.map(
          send({ ...served, workflows }, { id, time, body, signature: sign(id, time, body, key) }),
          ({ status }) => status,
        )
      assert.strictEqual(yield* statusOf("msg_1", keys[0]!), 202)
      assert.strictEqual(yield* statusOf("msg_2", keys[1]!), 202)
      assert.strictEqual(yield* statusOf("msg_3", "a key that the server does not have"), 401)
    }).pipe(Effect.scoped),
  )

  it("has a key of 24 bytes or more, in base64 after whsec_", () => {
    const usable = fc.uint8Array({ minLength: 24, maxLength: 64 })
    const short = fc.uint8Array({ maxLength: 23 })
    const encoded = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString("base64")}`
    fc.assert(
      fc.property(usable, short, (bytes, few) => {
        assert.deepStrictEqual(webhookKey(encoded(bytes)), bytes)
        assert.match(String(webhookKey(encoded(few))), /^it has \d+ bytes/)
      }),
      { numRuns: cases(100) },
    )
    for (const secret of ["a", "", " ".repeat(40), "whsec_", "x".repeat(23)]) {
      assert.match(String(webhookKey(secret)), /^it has \d+ bytes/, secret)
    }
    for (const rest of ["%%%%", "YQ=", "====", `${"A".repeat(44)}*`, "A".repeat(45)]) {
      assert.match(String(webhookKey(`whsec_${rest}`)), /not valid base64/, rest)
    }
  })

  it.effect("has one secret or two by check", () =>
    Effect.gen(function* () {
      const declared = hooked.replace("secrets: [HOOK_KEY]", "secrets: [HOOK_KEY, NEW_KEY]")
      const withSecret = (secret: string) =>
        problemsOf(declared.replace("secret: HOOK_KEY", `secret: ${secret}`))
      assert.deepStrictEqual(yield* withSecret("[NEW_KEY, HOOK_KEY]"), [])
      assert.match(String(yield* withSecret("[HOOK_KEY, OTHER]")), /PL3012 the secret "OTHER"/)
      assert.match(String(yield* withSecret("[]")), /PL3012 .*not no secret/)
      assert.match(String(yield* withSecret("[NEW_KEY, HOOK_KEY, NEW_KEY]")), /not 3 secrets/)
    }),
  )

  it.effect("is not served without the value of its secret", () =>
    Effect.gen(function* () {
      const served = yield* serving(hooked)
      const [workflow] = served.workflows.values()
      const { webhookSecrets: _, ...closed } = workflow!
      const { status } = yield* send({ ...served, workflows: new Map([["inline", closed]]) })
      assert.strictEqual(status, 404)
    }).pipe(Effect.scoped),
  )

  it.effect("has inputs whose types check reports", () =>
    Effect.gen(function* () {
      const [unknown] = yield* problemsOf(hooked.replace("body.order }}", "body.oder }}"))
      assert.match(unknown ?? "", /^PL1201 body has no field "oder"/)
      const [text] = yield* problemsOf(
        hooked.replace("{ order: { type: integer }", "{ order: { type: string }"),
      )
      assert.match(text ?? "", /^PL1204 "number" is a whole number, this expression gives text/)
      const [missing] = yield* problemsOf(hooked.replace('number: "${{ body.order }}"', ""))
      assert.match(missing ?? "", /number/)
    }),
  )
})
