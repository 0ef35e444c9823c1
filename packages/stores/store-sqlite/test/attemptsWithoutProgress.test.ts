/** Counts attempts without progress: owners that died without a new step, not those that released the run. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { load } from "@planloom/embed"
import { resultOf } from "@planloom/core"
import { resumeDue } from "@planloom/record/worker"
import { endOwners, newFile, start, storeAt } from "./store.ts"
import { workload } from "./workflow.ts"

describe("attempts without progress of a run", () => {
  it.effect("are counted until a step is recorded", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const attemptsWithoutProgress = Effect.map(
        store.show("r"),
        (record) => record?.attemptsWithoutProgress,
      )
      const dead = () => storeAt(path).open(start("r"))
      yield* dead()
      assert.strictEqual(yield* attemptsWithoutProgress, undefined)
      yield* dead()
      yield* dead()
      assert.strictEqual(yield* attemptsWithoutProgress, 2)
      const { journal } = yield* dead()
      assert.strictEqual(yield* attemptsWithoutProgress, 3)
      yield* journal.step("a", Effect.succeed(1))
      assert.strictEqual(yield* attemptsWithoutProgress, undefined)
      yield* dead()
      assert.strictEqual(yield* attemptsWithoutProgress, 1)
      // The owner that is dead at present counts before another has the run.
      endOwners(path)
      assert.strictEqual(yield* attemptsWithoutProgress, 2)
    }),
  )

  it.effect("exclude owners that released the run or reopened their own", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const attemptsWithoutProgress = Effect.map(
        store.show("r"),
        (record) => record?.attemptsWithoutProgress,
      )
      for (let time = 0; time < 3; time++) yield* storeAt(path).open(start("r"))
      const { close } = yield* storeAt(path).open(start("r"))
      yield* close
      assert.strictEqual(yield* attemptsWithoutProgress, undefined)
      for (let time = 0; time < 3; time++) yield* store.open(start("r"))
      assert.strictEqual(yield* attemptsWithoutProgress, undefined)
    }),
  )

  it.effect("are reset when a part of the record is dropped", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      for (let time = 0; time < 4; time++) {
        const { journal } = yield* storeAt(path).open(start("r"))
        if (time === 0) yield* journal.step("a", Effect.succeed(1))
        journal.event({
          type: "RunFailed",
          seq: time,
          at: 1,
          failure: { class: "internal", message: "no" },
        })
      }
      const last = yield* store.open(start("r"))
      assert.strictEqual((yield* store.show("r"))?.attemptsWithoutProgress, 4)
      yield* last.close
      const event = { type: "RunReset", from: "", again: [], since: 9 } as const
      const given = yield* Effect.exit(store.reset("r", { drops: () => true, event }))
      assert.isTrue(Exit.isSuccess(given))
      assert.strictEqual((yield* store.show("r"))?.attemptsWithoutProgress, undefined)
    }),
  )

  it.live("end the run at the limit, and suspects are resumed last", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const times = { spent: 5, suspect: 4, killed: 1 }
      const inputs = workload.runs["r"]!
      for (const [run, count] of Object.entries(times)) {
        const session = run === "spent" ? { session: "s" } : {}
        for (let time = 0; time < count; time++) {
          yield* storeAt(path).open(start(run, { inputs, ...session }))
        }
      }
      endOwners(path)
      yield* store.write({
        run: "fresh",
        workflow: "test",
        status: "running",
        inputs,
        startedAt: 1,
        steps: [],
        timers: {},
        waits: [],
        events: [],
      })
      const { file, options } = workload
      const worked = yield* resumeDue(store, { load: () => load(file, options) })
      assert.deepStrictEqual(
        worked.map(({ exit, run }) => [run, Exit.isSuccess(exit)]),
        [
          ["fresh", true],
          ["spent", false],
          ["suspect", true],
          ["killed", true],
        ],
      )
      const events = yield* store.events("spent")
      assert.strictEqual(events[0]?.type === "RunStarted" && events[0].session, "s")
      const { failure, status } = resultOf(events)
      assert.deepStrictEqual([status, failure?.class], ["failed", "internal"])
      assert.include(failure?.message, "claimed 5 times without recording a step at all")
      assert.deepStrictEqual(yield* resumeDue(store, { load: () => load(file, options) }), [])
    }),
  )
})
