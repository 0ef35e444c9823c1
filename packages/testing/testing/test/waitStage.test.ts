/** Workflows that wait for a time or a signal: in memory, in a store, and across restarts. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { run } from "@planloom/core"
import type { RunEvent } from "@planloom/plugin/effect"
import { answer, giveAnswer, resume } from "@planloom/record"
import { openStore } from "@planloom/store-sqlite"
import { loadInline, problemsOf, runInline } from "./inlineWorkflow.ts"

const workflow = (wait: string, more = "") => `stages:
  - { id: pause, uses: wait${more}, with: { ${wait} } }
outputs: { out: "\${{ stages.pause.output }}" }
`

const newStore = Effect.suspend(() =>
  openStore(join(mkdtempSync(join(tmpdir(), "planloom-wait-")), "runs.db")),
)

/** A run whose stage has started to wait. */
const waiting = (body: string) =>
  Effect.gen(function* () {
    const { pipeline } = yield* loadInline(body)
    const started = yield* Deferred.make<void>()
    const onEvent = ({ type }: RunEvent) =>
      void (type === "StageStarted" && Deferred.doneUnsafe(started, Effect.void))
    const fiber = yield* Effect.forkChild(run(pipeline, {}, { onEvent }))
    yield* Deferred.await(started)
    return fiber
  })

const payment = `signal: payment, schema: { type: object, required: [amount], properties: { amount: { type: integer } } }`

describe("a wait stage", () => {
  it.effect("waits for a duration, without counting against its time limit", () =>
    Effect.gen(function* () {
      const fiber = yield* waiting(workflow("for: 30s", ", timeout: 1s"))
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual((yield* Fiber.join(fiber)).outputs, {
        out: "1970-01-01T00:00:30.000Z",
      })
    }),
  )

  it.effect("waits until a time, and not at all for a past one", () =>
    Effect.gen(function* () {
      const fiber = yield* waiting(workflow('until: "1970-01-01T02:00:00+01:00"'))
      yield* TestClock.adjust("59 minutes")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual((yield* Fiber.join(fiber)).outputs, {
        out: "1970-01-01T01:00:00.000Z",
      })
      const past = yield* runInline(workflow('until: "1969-12-31T00:00:00Z"'), {})
      assert.strictEqual(past.status, "succeeded")
    }),
  )

  it.effect("refuses a time without a zone, and two ways to wait", () =>
    Effect.gen(function* () {
      for (const wrong of ['until: "2026-03-01"', "for: 1s, signal: paid", "message: none"]) {
        const failed = yield* Effect.flip(runInline(workflow(wrong), {}))
        assert.strictEqual(failed._tag === "RunFailed" && failed.reason.class, "invalid_request")
      }
    }),
  )

  it.effect("suspends a run in a store for a long wait, which survives a restart", () =>
    Effect.gen(function* () {
      const store = yield* newStore
      const { pipeline } = yield* loadInline(workflow("for: 3d"))
      const first = yield* run(pipeline, {}, { store, run: "r" })
      assert.strictEqual(first.status, "suspended")
      assert.strictEqual(first.waits?.[0]?.kind, "timer")
      assert.deepStrictEqual(yield* store.due(), [])
      const refused = yield* Effect.flip(giveAnswer(store, "r", { value: null }))
      assert.include(refused.message, "does not fit")
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* resume(pipeline, "r", { store })).status, "suspended")
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual(
        (yield* store.due()).map((one) => one.run),
        ["r"],
      )
      const after = yield* resume(pipeline, "r", { store })
      assert.deepStrictEqual(after.outputs, { out: "1970-01-04T00:00:00.000Z" })
    }).pipe(Effect.scoped),
  )

  it.effect("returns the data of its signal, which is addressed by its name", () =>
    Effect.gen(function* () {
      const store = yield* newStore
      const { pipeline } = yield* loadInline(workflow(payment))
      assert.strictEqual((yield* run(pipeline, {}, { store, run: "r" })).status, "suspended")
      const wrong = yield* Effect.flip(
        giveAnswer(store, "r", { name: "payment", value: { amount: "7" } }),
      )
      assert.include(wrong.message, "amount")
      const unknown = yield* Effect.flip(giveAnswer(store, "r", { name: "paid", value: {} }))
      assert.include(unknown.message, 'no question named "paid"')
      const signal = { name: "payment", value: { amount: 7 }, by: "shop" }
      const result = yield* answer(pipeline, "r", signal, { store })
      assert.deepStrictEqual(result?.outputs, { out: { amount: 7 } })
    }).pipe(Effect.scoped),
  )

  it.effect("returns its default after expires, or fails with class timeout", () =>
    Effect.gen(function* () {
      const store = yield* newStore
      const late = (more: string, id: string) =>
        Effect.gen(function* () {
          const { pipeline } = yield* loadInline(workflow(`${payment}, expires: 1h${more}`))
          yield* run(pipeline, {}, { store, run: id })
          yield* TestClock.adjust("1 hour")
          return yield* resume(pipeline, id, { store })
        })
      const result = yield* late(", default: { amount: 0 }", "a")
      assert.deepStrictEqual(result.outputs, { out: { amount: 0 } })
      const failed = yield* Effect.flip(late("", "b"))
      assert.strictEqual(failed._tag === "RunFailed" && failed.reason.class, "timeout")
    }).pipe(Effect.scoped),
  )

  it.effect("has an output of the type of its signal's schema and its default", () =>
    Effect.gen(function* () {
      const typed = (wait: string, expression: string) =>
        problemsOf(
          `stages: [{ id: pause, uses: wait, with: { ${wait} } }]\noutputs: { out: "\${{ ${expression} }}" }\n`,
        )
      assert.deepStrictEqual(yield* typed(payment, "stages.pause.output.amount + 1"), [])
      const [unknown] = yield* typed(payment, "stages.pause.output.amuont")
      assert.match(unknown ?? "", /^PL1201 /)
      const [isNull] = yield* typed(
        `${payment}, expires: 1h, default: null`,
        "stages.pause.output.amount",
      )
      assert.match(isNull ?? "", /^PL1202 .* may be null/)
      const [time] = yield* typed("for: 1s", "stages.pause.output + 1")
      assert.match(time ?? "", /^PL1202 .*text/)
    }),
  )
})
