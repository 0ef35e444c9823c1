/** Pauses before a retry: bounded by the policy, and refused when a time limit would end first. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { StageFailed, stageKind } from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"

const HOUR_MS = 3_600_000

/** Asks for an hour's pause `times` times, then succeeds. */
const busy = (times: number) => {
  let left = times
  return stageKind<object>({
    id: "busy",
    summary: "A service that asks to slow down.",
    input: { type: "object" },
    output: { type: "string" },
    run: () =>
      Effect.suspend(() =>
        left-- > 0
          ? Effect.fail(
              new StageFailed({ class: "rate_limit", message: "slow down", retryAfter: HOUR_MS }),
            )
          : Effect.succeed("done"),
      ),
  })
}

/** Runs a workflow whose clock passes a minute. */
const overMinute = (yaml: string, times = 1) =>
  Effect.gen(function* () {
    const { pipeline } = yield* workflowOf(yaml, { stages: [busy(times)] })
    const fiber = yield* Effect.forkChild(collect(pipeline))
    yield* TestClock.adjust("60 seconds")
    return yield* Fiber.join(fiber)
  })

const policy = (maxDelay: string) =>
  `policies: { retry: { again: { max_retries: 3, delay: 1s, max_delay: ${maxDelay}, jitter: false, on: [rate_limit] } } }`

describe("the pause that a service requests", () => {
  it.effect("lasts at most the policy's max_delay", () =>
    Effect.gen(function* () {
      const { events, result } = yield* overMinute(
        `${policy("2s")}\nstages: [{ id: a, uses: busy, retry: again }]`,
        2,
      )
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "AttemptFailed" ? [event.delay] : [])),
        [2000, 2000],
      )
      assert.strictEqual(result.status, "succeeded")
    }),
  )

  it.effect("fails the stage at once when the run's timeout would end first", () =>
    Effect.gen(function* () {
      const { result } = yield* overMinute(
        `timeout: 12s\n${policy("1h")}\nstages: [{ id: a, uses: busy, retry: again }]`,
      )
      assert.strictEqual(result.failure?.class, "timeout")
      assert.strictEqual(
        result.failure?.message,
        "rate_limit: slow down; the next attempt is due in 1h, and 12s are left of the time limit of 12s",
      )
      assert.deepInclude(result.failure?.detail, { pause: HOUR_MS, left: 12_000, limit: 12_000 })
      assert.strictEqual(result.finishedAt! - result.startedAt, 0)
    }),
  )

  it.effect("fails the stage at once when the time budget of the stage would end first", () =>
    Effect.gen(function* () {
      const { result } = yield* overMinute(
        `${policy("1h")}\nstages: [{ id: a, uses: busy, retry: again, budget: { time: 20m } }]`,
      )
      assert.strictEqual(result.failure?.class, "budget")
      assert.deepInclude(result.failure?.detail, { key: "time", pause: HOUR_MS, left: 1_200_000 })
      assert.strictEqual(result.finishedAt! - result.startedAt, 0)
    }),
  )

  it.effect("is compared with the limit that ends first among those around the stage", () =>
    Effect.gen(function* () {
      const { result } = yield* overMinute(`
timeout: 2h
${policy("1h")}
stages:
  - id: block
    timeout: 30m
    stages: [{ id: a, uses: busy, retry: again }]
`)
      assert.deepInclude(result.failure?.detail, { left: 1_800_000, limit: 1_800_000 })
    }),
  )

  it.effect("leaves other stages their time: one that continues after errors does", () =>
    Effect.gen(function* () {
      const { result } = yield* overMinute(`
timeout: 12s
${policy("1h")}
stages:
  - { id: a, uses: busy, retry: again, on_error: continue }
  - { id: b, uses: echo, with: { value: next } }
outputs: { b: "\${{ stages.b.output }}" }
`)
      assert.deepStrictEqual(result.outputs, { b: "next" })
    }),
  )
})
