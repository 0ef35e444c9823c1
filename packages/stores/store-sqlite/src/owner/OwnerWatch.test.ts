/** When the owner of a run counts as dead, measured on the watching process's clock. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { thisOwner, type Owner } from "./Owner.ts"
import { OwnerWatch } from "./OwnerWatch.ts"

const HEARTBEAT_MS = 1000

const owner = (more: Partial<Owner>): string =>
  JSON.stringify({ ...thisOwner(HEARTBEAT_MS), ...more })

/** The pid of an ended process. */
const endedPid = 2 ** 22 + 1

const watching = Effect.map(Clock.clockWith(Effect.succeed), (clock) => new OwnerWatch(clock))

/** Checks `times` times at an interval in milliseconds; returns the last result. */
const looks = (watch: OwnerWatch, who: string, times: number, everyMs = 500) =>
  Effect.gen(function* () {
    let alive = watch.isAlive(1, who, 7)
    for (let look = 1; look < times; look++) {
      yield* TestClock.adjust(everyMs)
      alive = watch.isAlive(1, who, 7)
    }
    return alive
  })

describe("OwnerWatch with an owner whose process is not visible", () => {
  const elsewhere = [
    ["on another host", { host: "elsewhere" }],
    ["of another boot", { boot: "another" }],
    ["in another PID namespace", { pidNamespace: "pid:[1]" }],
    ["on a system that hides its boot id", { boot: null }],
  ] as const
  for (const [where, more] of elsewhere) {
    it.effect(`considers it dead only after five intervals without a heartbeat: ${where}`, () =>
      Effect.gen(function* () {
        const watch = yield* watching
        const who = owner({ ...more, pid: endedPid })
        assert.isTrue(yield* looks(watch, who, 10))
        assert.isFalse(yield* looks(watch, who, 2))
        assert.isTrue(watch.isAlive(1, who, 8), "a heartbeat came after all")
      }),
    )
  }

  it.effect("restarts the observation after a gap between checks", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      const who = owner({ host: "elsewhere" })
      assert.isTrue(yield* looks(watch, who, 10))
      yield* TestClock.adjust(12_000)
      assert.isTrue(yield* looks(watch, who, 10))
      assert.isFalse(yield* looks(watch, who, 2))
    }),
  )

  it.effect("considers it alive as long as checks are too rare to watch it", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      assert.isTrue(yield* looks(watch, owner({ host: "elsewhere" }), 20, 2500))
    }),
  )

  it.effect("does not count the silence of the previous owner", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      assert.isTrue(yield* looks(watch, owner({ host: "elsewhere" }), 10))
      assert.isTrue(yield* looks(watch, owner({ host: "elsewhere", store: "next" }), 10))
    }),
  )

  it.effect("measures in the owner's heartbeat interval, not the observer's", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      const slow = owner({ host: "elsewhere", heartbeatMs: 4 * HEARTBEAT_MS })
      assert.isTrue(yield* looks(watch, slow, 40))
      assert.isFalse(yield* looks(watch, slow, 2))
    }),
  )
})

describe("OwnerWatch with an owner whose process is visible", () => {
  it.effect("considers it dead at once if the process does not exist", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      assert.isFalse(watch.isAlive(1, owner({ pid: endedPid }), 7))
      assert.deepStrictEqual(watch.runs, [])
    }),
  )

  it.effect("considers it dead after five silent intervals even if the process exists", () =>
    Effect.gen(function* () {
      const watch = yield* watching
      const who = owner({})
      assert.isTrue(yield* looks(watch, who, 10))
      assert.isFalse(yield* looks(watch, who, 2))
    }),
  )

  it.runIf(process.platform === "linux")(
    "is dead at once when its number belongs to a later process",
    () =>
      Effect.runPromise(
        Effect.map(watching, (watch) =>
          assert.isFalse(watch.isAlive(1, owner({ started: "1" }), 7)),
        ),
      ),
  )
})
