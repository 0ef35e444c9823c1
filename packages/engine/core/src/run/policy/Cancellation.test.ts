/** Ending a run from outside: what is under way, what is held, what a record answers. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import * as TestClock from "effect/testing/TestClock"
import type { Journal } from "@planloom/plugin/effect"
import { emptyRecording, recordingJournal } from "../journal/journals.ts"
import { Cancellation } from "./Cancellation.ts"

const waiting = (journal: Journal, name: string) => {
  const gate = Deferred.makeUnsafe<number>()
  return { gate, step: journal.step(name, Deferred.await(gate)) }
}

describe("a cancelled run", () => {
  it.effect("lets steps under way finish on every branch and starts no new one", () =>
    Effect.gen(function* () {
      const recording = emptyRecording()
      const cancellation = new Cancellation()
      const journal = cancellation.journal(recordingJournal(recording))
      const a = waiting(journal, "a")
      const b = waiting(journal, "b")
      const next = journal.step("c", Effect.succeed(3))
      const branches = Effect.all([Effect.andThen(a.step, next), b.step], {
        concurrency: "unbounded",
      })
      const running = yield* Effect.forkChild(cancellation.within(branches))
      yield* Effect.yieldNow
      cancellation.ask({ mode: "after", reason: "enough" })
      yield* Deferred.succeed(a.gate, 1)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(running.pollUnsafe(), undefined)
      yield* Deferred.succeed(b.gate, 2)
      const exit = yield* Fiber.await(running)
      assert.isTrue(Exit.hasInterrupts(exit))
      assert.deepStrictEqual([...recording.steps.keys()], ["a", "b"])
      cancellation.release()
      assert.strictEqual(yield* next, 3)
    }),
  )

  it.live("is interrupted at once in mode `now`", () =>
    Effect.gen(function* () {
      const recording = emptyRecording()
      const cancellation = new Cancellation()
      const { step } = waiting(cancellation.journal(recordingJournal(recording)), "a")
      const running = yield* Effect.forkChild(cancellation.within(step))
      yield* Effect.yieldNow
      cancellation.ask({ mode: "after", reason: "soon" })
      cancellation.ask({ mode: "now", reason: "at once" })
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(running)))
      assert.strictEqual(cancellation.reason, "at once")
      assert.strictEqual(recording.steps.size, 0)
    }),
  )

  it.live("replays its record first when no process owned it", () =>
    Effect.gen(function* () {
      const recording = emptyRecording()
      recording.steps.set("a", { ok: true, value: 1 })
      const missing: Array<string> = []
      const cancellation = new Cancellation(
        { mode: "after", reason: "over" },
        { endings: 0, held: (name) => void missing.push(name) },
      )
      const journal = cancellation.journal(recordingJournal(recording))
      const work = Effect.andThen(
        journal.step("a", Effect.die("done twice")),
        journal.step("b", Effect.die("begun")),
      )
      assert.isTrue(Exit.hasInterrupts(yield* Effect.exit(cancellation.within(work))))
      assert.deepStrictEqual(missing, ["b"])
    }),
  )
})
