/** Events of a run that is under way: from memory in the process that records them, from the store in others. */
import { assert, describe, it } from "@effect/vitest"
import type { RunEvent, RunStore } from "@planloom/plugin/effect"
import { follow, Follower } from "@planloom/record/follow"
import { Effect, Fiber, Stream } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { newFile, start, storeAt } from "./store.ts"

const progressed = (seq: number): RunEvent => ({
  type: "Progressed",
  path: "a",
  stage: "a",
  message: `part ${seq}`,
  seq,
  at: seq,
})
const finished = (seq: number): RunEvent => ({ type: "RunFinished", outputs: {}, seq, at: seq })
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)
const seqs = (events: ReadonlyArray<RunEvent>) => events.map(({ seq }) => seq)

/** Counts how often the events of a run are read. */
const counted = (store: RunStore) => {
  const seen = { reads: 0 }
  const counting = Object.create(store, {
    events: {
      value: (...given: Parameters<RunStore["events"]>) => {
        seen.reads++
        return store.events(...given)
      },
    },
  }) as RunStore
  return { counting, seen }
}

/** A run whose events are recorded when `record` is called. */
const recording = Effect.fnUntraced(function* (store: RunStore) {
  const { close, journal } = yield* store.open(start("r"))
  let steps = 0
  const record = (events: ReadonlyArray<RunEvent>) =>
    Effect.suspend(() => {
      for (const event of events) journal.event(event)
      return journal.step(`s${++steps}`, Effect.succeed(null))
    })
  return { close, record }
})

describe("a follower of a run", () => {
  it.effect("that waits looks at the store less and less often, and reads no event again", () =>
    Effect.gen(function* () {
      const { counting, seen } = counted(storeAt(newFile()))
      yield* counting.write({
        run: "waiting",
        workflow: "w",
        status: "suspended",
        inputs: {},
        startedAt: 0,
        steps: [],
        timers: {},
        waits: [],
        events: [progressed(0)],
      })
      let looks = 0
      const store = Object.create(counting, {
        revision: { get: () => (looks++, counting.revision) },
      }) as RunStore
      const follower = new Follower(store, "waiting", { patient: true })
      for (let ms = 0; ms < 60_000; ms += 100) {
        yield* follower.read
        yield* TestClock.adjust(100)
      }
      assert.isBelow(looks, 60)
      assert.strictEqual(seen.reads, 1)
    }),
  )

  it.live("reads what its process records without reading the store again", () =>
    Effect.gen(function* () {
      const { counting, seen } = counted(storeAt(newFile()))
      const { close, record } = yield* recording(counting)
      yield* record([progressed(0)])
      const follower = new Follower(counting, "r")
      assert.deepStrictEqual(seqs(yield* follower.read), [0])
      yield* record([progressed(1), progressed(2)])
      assert.deepStrictEqual(seqs(yield* follower.read), [1, 2])
      assert.deepStrictEqual(yield* follower.read, [])
      yield* record([finished(3)])
      yield* close
      assert.deepStrictEqual(seqs(yield* follower.read), [3])
      assert.isTrue(follower.hasEnded)
      assert.strictEqual(seen.reads, 1)
    }),
  )

  it.live("that is slow keeps a bounded number of events and loses none", () =>
    Effect.gen(function* () {
      const { counting, seen } = counted(storeAt(newFile()))
      const { close, record } = yield* recording(counting)
      const follower = new Follower(counting, "r")
      yield* follower.read
      for (let from = 0; from < 3000; from += 300) {
        yield* record(numbers(from, from + 300).map(progressed))
      }
      assert.deepStrictEqual(seqs(yield* follower.read), numbers(0, 3000))
      assert.strictEqual(seen.reads, 2)
      yield* record([finished(3000)])
      yield* close
      assert.deepStrictEqual(seqs(yield* follower.read), [3000])
      assert.strictEqual(seen.reads, 2)
    }),
  )

  it.live("reads events that were recorded before it was made, from the one it asks for", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const { close, record } = yield* recording(store)
      yield* record(numbers(0, 5).map(progressed))
      const follower = new Follower(store, "r", { from: 3 })
      yield* record([progressed(5)])
      assert.deepStrictEqual(seqs(yield* follower.read), [3, 4, 5])
      yield* record([finished(6)])
      yield* close
      assert.deepStrictEqual(seqs(yield* follower.read), [6])
    }),
  )

  it.live("reads what another process records, to the end of the run", () =>
    Effect.gen(function* () {
      const file = newFile()
      const { close, record } = yield* recording(storeAt(file))
      yield* record([progressed(0)])
      const reading = yield* Effect.forkChild(
        Stream.runCollect(follow(storeAt(file), "r", { every: 1 })),
      )
      yield* Effect.yieldNow
      yield* record([progressed(1)])
      yield* record([finished(2)])
      yield* close
      assert.deepStrictEqual(seqs(yield* Fiber.join(reading)), [0, 1, 2])
    }),
  )
})
