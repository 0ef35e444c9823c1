/** What every journal promises to a run. */
import assert from "node:assert/strict"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  ModelFailed,
  StageFailed,
  recordedStep,
  replayed,
  ToolFailed,
  type Failure,
  type Journal,
  type Json,
  type RunEvent,
  type Wait,
} from "@planloom/plugin/effect"
import { failureOf } from "./expectations.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

/** A fresh place to record in; each `open` gives a journal over all that was recorded there. */
export type JournalPlace = () => { readonly open: () => Journal | Promise<Journal> }

export interface JournalSuiteOptions {
  /** Whether a journal opened again answers from what an earlier one recorded. */
  readonly replays: boolean
}

const failures: ReadonlyArray<Failure> = [
  new StageFailed({ class: "assertion", message: "did not hold", detail: { rows: [1, 2] } }),
  new ToolFailed({ class: "tool_error", message: "broke", tool: "top", retryAfter: 250 }),
  new ModelFailed({ class: "rate_limit", message: "slow down", model: "acme/small" }),
]

const question: Wait = {
  name: "sign_off",
  kind: "approval",
  path: "sign_off",
  message: "Continue?",
  schema: { type: "boolean" },
  show: { rows: [1, null] },
}

/** Registers the tests of one journal. */
export const journalSuite = (
  { describe, it }: SuiteRunner,
  name: string,
  place: JournalPlace,
  { replays }: JournalSuiteOptions,
): void => {
  const counted = (value: number) => {
    const count = { runs: 0 }
    return {
      count,
      effect: Effect.sync(() => {
        count.runs++
        return value
      }),
    }
  }

  describe(`journal ${name}`, () => {
    it("runs a step once and gives its value", async () => {
      const journal = await place().open()
      const { count, effect } = counted(7)
      assert.equal(await Effect.runPromise(journal.step("a", effect)), 7)
      assert.equal(count.runs, 1)
    })

    for (const failure of failures) {
      it(`rethrows a ${failure._tag} unchanged`, async () => {
        const journal = await place().open()
        const got = await failureOf(journal.step("a", Effect.fail(failure)), "the step")
        assert.equal(got._tag, failure._tag)
        assert.deepStrictEqual({ ...got }, { ...failure })
      })
    }

    it("finds no outcome of a step that was not recorded", async () => {
      const journal = await place().open()
      assert.equal(await Effect.runPromise(journal.lookup("a")), undefined)
      await Effect.runPromise(journal.record("a", { ok: true, value: 1 }))
      assert.equal(await Effect.runPromise(journal.lookup("b")), undefined)
    })

    it("keeps steps of other names apart, also when they run at once", async () => {
      const journal = await place().open()
      const names = Array.from({ length: 50 }, (_, index) => `work[${index}]/model:1`)
      const given = await Effect.runPromise(
        Effect.forEach(
          names,
          (step, index) => journal.step(step, Effect.as(Effect.yieldNow, index)),
          { concurrency: "unbounded" },
        ),
      )
      assert.deepStrictEqual(
        given,
        names.map((_, index) => index),
      )
    })

    it("lets an interruption through to the work of a step", async () => {
      const journal = await place().open()
      const stopped = await Effect.runPromise(
        Effect.gen(function* () {
          const started = yield* Deferred.make<void>()
          let cleaned = false
          const fiber = yield* Effect.forkChild(
            journal.step(
              "a",
              Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
                Effect.onInterrupt(() => Effect.sync(() => (cleaned = true))),
              ) as Effect.Effect<never>,
            ),
          )
          yield* Deferred.await(started)
          yield* Fiber.interrupt(fiber)
          return cleaned
        }),
      )
      assert.ok(stopped)
    })

    it("takes events in order and never throws", async () => {
      const journal = await place().open()
      for (let seq = 0; seq < 100; seq++) {
        const event: RunEvent = { type: "RunCancelled", reason: "for the test", seq, at: seq }
        assert.doesNotThrow(() => journal.event(event))
      }
    })

    it("sleeps until its time on Effect's clock, and not at all when that has passed", async () => {
      const journal = await place().open()
      await Effect.runPromise(
        Effect.gen(function* () {
          yield* TestClock.setTime(1000)
          yield* journal.sleep("past", 900)
          const fiber = yield* Effect.forkChild(journal.sleep("ahead", 1500))
          yield* TestClock.adjust(499)
          assert.equal(fiber.pollUnsafe(), undefined)
          yield* TestClock.adjust(1)
          yield* Fiber.join(fiber)
        }).pipe(Effect.provide(TestClock.layer())),
      )
    })

    it("keeps a question without waiting, and says whether a run can be left with it", async () => {
      const journal = await place().open()
      const kept = await Effect.runPromise(journal.wait(question))
      assert.deepStrictEqual(kept, { wait: question })
      assert.equal(journal.lasting, replays)
    })

    if (replays) replaySuite(it, place)
  })
}

const replaySuite = (it: SuiteRunner["it"], place: JournalPlace): void => {
  it("answers a step it has recorded without running it", async () => {
    const { open } = place()
    await Effect.runPromise((await open()).step("a", Effect.succeed({ rows: [1, "x", null] })))
    const again = await Effect.runPromise((await open()).step("a", Effect.die("ran again")))
    assert.deepStrictEqual(again, { rows: [1, "x", null] })
  })

  for (const failure of failures) {
    it(`answers a recorded ${failure._tag} with all it said`, async () => {
      const { open } = place()
      await Effect.runPromiseExit((await open()).step("a", Effect.fail(failure)))
      const again = await failureOf(
        (await open()).step("a", Effect.die("ran again") as Effect.Effect<null, Failure>),
        "the recorded step",
      )
      assert.equal(again._tag, failure._tag)
      assert.deepStrictEqual({ ...again }, { ...failure })
    })
  }

  it("finds by lookup what a step recorded, a value and each failure", async () => {
    const { open } = place()
    const journal = await open()
    await Effect.runPromise(journal.step("a", Effect.succeed({ rows: [1, null] })))
    for (const failure of failures)
      await Effect.runPromiseExit(journal.step(failure._tag, Effect.fail(failure)))
    for (const one of [journal, await open()]) {
      assert.deepStrictEqual(await Effect.runPromise(one.lookup("a")), {
        ok: true,
        value: { rows: [1, null] },
      })
      for (const failure of failures) {
        const known = await Effect.runPromise(one.lookup(failure._tag))
        assert.ok(known !== undefined && !known.ok, `no failure of ${failure._tag}`)
        const again = await failureOf(replayed(known), "the outcome")
        assert.deepStrictEqual({ ...again }, { ...failure })
      }
    }
  })

  it("answers a step from an outcome that was recorded without it", async () => {
    const { open } = place()
    const journal = await open()
    const outcome = recordedStep(Exit.fail(failures[1]!))!
    await Effect.runPromise(journal.record("a", { ok: true, value: [7] }))
    await Effect.runPromise(journal.record("b", outcome))
    for (const one of [journal, await open()]) {
      const ran = Effect.die("ran again") as Effect.Effect<Json, Failure>
      assert.deepStrictEqual(await Effect.runPromise(one.step("a", ran)), [7])
      const failed = await failureOf(one.step("b", ran), "the step")
      assert.deepStrictEqual({ ...failed }, { ...failures[1]! })
    }
  })

  it("runs a step again that was interrupted before it ended", async () => {
    const { open } = place()
    const journal = await open()
    await Effect.runPromise(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(
          journal.step("a", Effect.never as Effect.Effect<number>),
        )
        yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
      }),
    )
    assert.equal(await Effect.runPromise((await open()).step("a", Effect.succeed(3))), 3)
  })

  it("keeps the time of a sleep that was recorded", async () => {
    const { open } = place()
    const waited = (journal: Journal, until: number, now: number) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now)
        const fiber = yield* Effect.forkChild(journal.sleep("nap", until))
        yield* Effect.yieldNow
        const at = fiber.pollUnsafe() === undefined ? "waiting" : "done"
        yield* Fiber.interrupt(fiber)
        return at
      }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
    assert.equal(await waited(await open(), 1000, 0), "waiting")
    assert.equal(await waited(await open(), 9000, 1000), "done")
  })

  it("keeps a question as it was put first, and the first answer to it", async () => {
    const { open } = place()
    const journal = await open()
    await Effect.runPromise(journal.wait({ ...question, expiresAt: 9_000_000_000_000 }))
    const first = { value: { yes: true }, by: "ann", at: 5 }
    const answers = [first, { value: false, by: "bob", at: 6 }]
    for (const answer of answers) {
      assert.deepStrictEqual(await Effect.runPromise(journal.answer("sign_off", answer)), first)
    }
    const again = await Effect.runPromise(
      (await open()).wait({ ...question, message: "changed", expiresAt: 1 }),
    )
    assert.deepStrictEqual(again, {
      wait: { ...question, expiresAt: 9_000_000_000_000 },
      answer: first,
    })
  })

  for (const [what, more, stays] of [
    ["its default", { default: { yes: 0 } }, { value: { yes: 0 }, by: "default" }],
    ["nothing", {}, { value: null, by: "expired" }],
  ] as const) {
    it(`answers a question that has expired with ${what}, and that stays`, async () => {
      const { open } = place()
      const journal = await open()
      const wait = { ...question, ...more, expiresAt: 1000 }
      await Effect.gen(function* () {
        yield* TestClock.setTime(999)
        assert.deepStrictEqual(yield* journal.wait(wait), { wait })
        yield* TestClock.adjust(1)
        const answer = { ...stays, at: 1000 }
        assert.deepStrictEqual(yield* journal.wait(wait), { wait, answer })
        const late = yield* journal.answer("sign_off", { value: 1, by: "ann", at: 1001 })
        assert.deepStrictEqual(late, answer)
      }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
    })
  }
}
