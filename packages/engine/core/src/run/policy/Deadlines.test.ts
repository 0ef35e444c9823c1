/** The timer that watches the time limits of a run. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { stageKind } from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"

/** Waits without a timer, so that all timers of a run are those of its limits. */
const yielding = stageKind<object>({
  id: "yielding",
  summary: "Waits for a moment.",
  input: { type: "object" },
  output: true,
  run: () =>
    Effect.as(
      Effect.promise(async () => {}),
      null,
    ),
})

/** Ends before its limit is watched. */
const instant = stageKind<object>({
  id: "instant",
  summary: "Does nothing.",
  input: { type: "object" },
  output: true,
  run: () => Effect.succeed(null),
})

const waiting = stageKind<{ readonly seconds: number }>({
  id: "waiting",
  summary: "Waits.",
  input: { type: "object", properties: { seconds: { type: "integer" } }, required: ["seconds"] },
  output: true,
  run: ({ seconds }) => Effect.as(Effect.sleep(seconds * 1000), null),
})

/** The clock of the test, which counts the timers that were set and those that run. */
const counting = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const timers = { set: 0, running: 0 }
  const counted: Clock.Clock = Object.assign(Object.create(clock), {
    sleep: (duration: Parameters<Clock.Clock["sleep"]>[0]) =>
      Effect.suspend(() => {
        timers.set++
        timers.running++
        return Effect.ensuring(
          clock.sleep(duration),
          Effect.sync(() => timers.running--),
        )
      }),
  })
  return { counted, timers }
})

describe("time limits of a run", () => {
  it.effect("share one timer, which ends with the run", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: a, uses: yielding, timeout: 30s }
  - { id: b, uses: yielding, timeout: 30s }
  - { id: c, uses: yielding, timeout: 40s, for_each: { in: "[1, 2, 3]", max_parallel: 2 } }
`,
        { stages: [yielding] },
      )
      const { counted, timers } = yield* counting
      const { result } = yield* Effect.provideService(collect(pipeline), Clock.Clock, counted)
      assert.strictEqual(result.status, "succeeded")
      assert.deepStrictEqual(timers, { set: 1, running: 0 })
    }),
  )

  it.effect("each end their own stage on time, whichever was set first", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: quick, uses: waiting, needs: [], with: { seconds: 1 }, timeout: 2s, on_error: continue }
  - { id: long, uses: waiting, needs: [], with: { seconds: 90 }, timeout: 60s, on_error: continue }
  - { id: short, uses: waiting, needs: [], with: { seconds: 90 }, timeout: 5s, on_error: continue }
  - { id: next, uses: waiting, needs: [short], with: { seconds: 90 }, timeout: 7s, on_error: continue }
`,
        { stages: [waiting] },
      )
      const fiber = yield* Effect.forkChild(collect(pipeline))
      yield* TestClock.adjust("100 seconds")
      const { events } = yield* Fiber.join(fiber)
      const ends = events.flatMap((event) =>
        event.type === "StageFinished" || event.type === "StageFailed"
          ? [[event.stage, event.at]]
          : [],
      )
      assert.deepStrictEqual(ends, [
        ["quick", 1000],
        ["short", 5000],
        ["next", 12000],
        ["long", 60000],
      ])
    }),
  )

  it.effect("count from the start of each stage that runs after another", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
stages:
  - { id: first, uses: waiting, with: { seconds: 4 }, timeout: 5s }
  - { id: late, uses: waiting, with: { seconds: 9 }, timeout: 3s, on_error: continue }
  - { id: free, uses: waiting, with: { seconds: 20 } }
  - { id: last, uses: waiting, with: { seconds: 9 }, timeout: 5s }
`,
        { stages: [waiting] },
      )
      const fiber = yield* Effect.forkChild(collect(pipeline))
      yield* TestClock.adjust("100 seconds")
      const { result } = yield* Fiber.join(fiber)
      assert.strictEqual(result.failure?.message, 'stage "last" gave no output in 5s')
      assert.deepStrictEqual(
        Object.entries(result.stages).map(([path, { ms, outcome }]) => [path, outcome, ms]),
        [
          ["first", "success", 4000],
          ["late", "failure", 3000],
          ["free", "success", 20000],
          ["last", "failure", 5000],
        ],
      )
    }),
  )

  it.effect("end the items of a list that are late, and no others", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
stages:
  - id: all
    uses: waiting
    for_each: { in: "[2, 9, 2, 2]", as: seconds, max_parallel: 2 }
    with: { seconds: "\${{ seconds }}" }
    timeout: 3s
    on_error: continue
`,
        { stages: [waiting] },
      )
      const fiber = yield* Effect.forkChild(collect(pipeline))
      yield* TestClock.adjust("100 seconds")
      const { result } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        [0, 1, 2, 3].map((index) => result.stages[`all[${index}]`]?.ms),
        [2000, 3000, 2000, 2000],
      )
      assert.strictEqual(result.finishedAt! - result.startedAt, 5000)
    }),
  )

  it.effect.each(["instant", "yielding"])(
    "that end together end the outermost work, also when the stage before is %s",
    (before) =>
      Effect.gen(function* () {
        const { pipeline } = yield* workflowOf(
          `
stages:
  - id: outer
    timeout: 5s
    stages:
      - { id: before, uses: ${before}, with: {} }
      - id: inner
        timeout: 5s
        on_error: continue
        stages: [{ id: hangs, uses: waiting, with: { seconds: 90 } }]
`,
          { stages: [instant, waiting, yielding] },
        )
        const fiber = yield* Effect.forkChild(collect(pipeline))
        yield* TestClock.adjust("100 seconds")
        const { result } = yield* Fiber.join(fiber)
        assert.strictEqual(result.failure?.message, 'stage "outer" gave no output in 5s')
      }),
  )
})
