/** Rates, concurrency and breakers, all on the test's clock. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { ModelFailed, stageKind, type FailureClass, type Provider } from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { run } from "../../run/run.ts"
import { MemoryRateLimiter } from "./MemoryRateLimiter.ts"

const ask = stageKind<object>({
  id: "ask",
  summary: "Asks.",
  input: { type: "object", properties: { n: { type: "integer" } } },
  output: true,
  model: (_, { model }) =>
    Effect.map(model.text({ messages: [{ role: "user", content: "?" }] }), ({ text }) => text),
})

/** Answers after `ms` and remembers when it was asked; fails with the classes in turn, first. */
const timed = (
  id: string,
  {
    fails = [],
    ms = 0,
    output = 90,
  }: { fails?: Array<FailureClass>; ms?: number; output?: number } = {},
) => {
  const at: Array<number> = []
  const seen = { now: 0, most: 0 }
  const provider: Provider = {
    id,
    summary: "Remembers when it was asked.",
    generate: () =>
      Effect.clockWith((clock) => {
        at.push(clock.currentTimeMillisUnsafe())
        seen.now++
        seen.most = Math.max(seen.most, seen.now)
        const reason = fails.shift()
        return Effect.ensuring(
          Effect.andThen(
            Effect.sleep(ms),
            reason === undefined
              ? Effect.succeed({
                  text: id,
                  reasoning: "",
                  toolCalls: [],
                  finish: "stop" as const,
                  usage: { input: 10, output },
                })
              : Effect.fail(new ModelFailed({ class: reason, model: id, message: reason })),
          ),
          Effect.sync(() => void seen.now--),
        )
      }),
  }
  return { at, provider, seen }
}

const flow = (policies: string, more = "") => `
inputs: { list: { type: array, items: { type: integer } } }
models: { m: { try: [near/a, far/b], max_tokens: 100 } }
policies: ${policies}
stages:
  - { id: all, uses: ask, model: m, for_each: { in: inputs.list, as: n, max_parallel: 100 }, with: { n: "\${{ n }}" }${more} }
outputs: {}
`

const items = (count: number) => ({ list: Array.from({ length: count }, (_, index) => index) })

const after = <A, E, R>(effect: Effect.Effect<A, E, R>, seconds: number) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    // Loading the limiter is a promise of its own: the clock stands until it is there.
    yield* Effect.promise(() => import("./memoryBuckets.ts"))
    for (let second = 0; second < seconds; second++) yield* TestClock.adjust("1 second")
    return yield* Fiber.join(fiber)
  })

describe("requests a minute", () => {
  it.effect("are limited across runs, and a long wait is reported", () =>
    Effect.gen(function* () {
      const near = timed("near")
      const { pipeline } = yield* workflowOf(
        flow("{ rate: { near: { requests_per_minute: 6 } } }"),
        { providers: [near.provider, timed("far").provider], stages: [ask] },
      )
      const rateLimiter = new MemoryRateLimiter()
      const [first] = yield* after(
        Effect.all(
          [collect(pipeline, items(6), { rateLimiter }), run(pipeline, items(3), { rateLimiter })],
          {
            concurrency: 2,
          },
        ),
        40,
      )
      assert.deepStrictEqual(near.at, [0, 0, 0, 0, 0, 0, 10_000, 20_000, 30_000])
      assert.strictEqual(first.result.status, "succeeded")
      const second = yield* after(collect(pipeline, items(2), { rateLimiter }), 20)
      assert.isTrue(
        second.events.some(
          (event) =>
            event.type === "Progressed" &&
            /^waiting \d+ s for the rate "near" of near\/a$/.test(event.message),
        ),
      )
    }),
  )

  it.effect(
    "lead a call to the next model at once when its turn comes after the stage's time, and give the turn back",
    () =>
      Effect.gen(function* () {
        const near = timed("near")
        const far = timed("far")
        const { pipeline } = yield* workflowOf(
          flow("{ rate: { near: { requests_per_minute: 1 } } }", ", timeout: 5s"),
          { providers: [near.provider, far.provider], stages: [ask] },
        )
        const rateLimiter = new MemoryRateLimiter()
        const { events, result } = yield* after(collect(pipeline, items(3), { rateLimiter }), 10)
        assert.strictEqual(result.status, "succeeded")
        assert.deepStrictEqual(far.at, [0, 0])
        const late = events.flatMap((event) =>
          event.type === "ModelCalled" && event.failure !== undefined ? [event.failure] : [],
        )
        assert.strictEqual(late[0]?.class, "rate_limit")
        assert.deepStrictEqual(late[0]?.detail, { pause: 60_000, left: 5000, limit: 5000 })
        assert.strictEqual(
          late[0]?.message,
          'the rate "near" admits the call in 1m, and 5s are left of the time limit of 5s',
        )
        // Without what was given back the next call would wait for three minutes.
        const patient = yield* workflowOf(flow("{ rate: { near: { requests_per_minute: 1 } } }"), {
          providers: [near.provider, timed("far").provider],
          stages: [ask],
        })
        yield* after(run(patient.pipeline, items(1), { rateLimiter }), 55)
        assert.deepStrictEqual(near.at, [0, 60_000])
      }),
  )
})

describe("tokens a minute", () => {
  it.effect("are reserved for the worst case and corrected by the actual usage", () =>
    Effect.gen(function* () {
      const near = timed("near", { output: 10 })
      const { pipeline } = yield* workflowOf(flow("{ rate: { m: { tokens_per_minute: 600 } } }"), {
        providers: [near.provider, timed("far").provider],
        stages: [ask],
      })
      const rateLimiter = new MemoryRateLimiter()
      yield* after(run(pipeline, items(5), { rateLimiter }), 5)
      assert.strictEqual(near.at.length, 5)
      // Five calls have reserved about 530 of 600 tokens and taken 100: five more begin at once.
      yield* after(run(pipeline, items(4), { rateLimiter }), 1)
      assert.isTrue(near.at.slice(5).every((at) => at <= 6000))
    }),
  )
})

describe("concurrency", () => {
  it.effect("of a provider is shared by runs and aliases, and interruption frees its places", () =>
    Effect.gen(function* () {
      const near = timed("near", { ms: 3000 })
      const { pipeline } = yield* workflowOf(
        flow("{ rate: { ours: { concurrency: 2, for: [near] } } }"),
        { providers: [near.provider, timed("far").provider], stages: [ask] },
      )
      const rateLimiter = new MemoryRateLimiter()
      const cancelled = yield* Effect.forkChild(run(pipeline, items(9), { rateLimiter }))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(cancelled)
      const { events } = yield* after(collect(pipeline, items(5), { rateLimiter }), 20)
      assert.strictEqual(near.seen.most, 2)
      assert.strictEqual(near.at.length, 7)
      assert.strictEqual(
        events.filter(
          (event) =>
            event.type === "Progressed" &&
            event.message === 'waiting for the rate "ours" of near/a',
        ).length,
        3,
      )
    }),
  )
})

describe("a breaker", () => {
  const broken = (fails: Array<FailureClass>) => {
    const near = timed("near", { fails })
    const far = timed("far")
    return { near, far, components: { providers: [near.provider, far.provider], stages: [ask] } }
  }
  const policies = "{ breaker: { failures: 3, within: 1m, probe_after: 30s } }"

  it.effect(
    "opens after failures of a provider, lets the next model answer, and closes on a probe",
    () =>
      Effect.gen(function* () {
        const { components, far, near } = broken(["unavailable", "timeout", "overloaded"])
        const { pipeline } = yield* workflowOf(flow(policies), components)
        const rateLimiter = new MemoryRateLimiter()
        for (let index = 0; index < 3; index++) yield* run(pipeline, items(1), { rateLimiter })
        assert.deepStrictEqual([near.at.length, far.at.length], [3, 3])
        const { events } = yield* collect(pipeline, items(4), { rateLimiter })
        assert.deepStrictEqual([near.at.length, far.at.length], [3, 7])
        const said = events.flatMap((event) =>
          event.type === "ModelCalled" && event.failure !== undefined ? [event.failure] : [],
        )
        assert.deepInclude({ ...said[0] }, { class: "unavailable", retryAfter: 30_000 })
        assert.include(said[0]!.message, "near has failed repeatedly")
        yield* TestClock.adjust("31 seconds")
        yield* run(pipeline, items(1), { rateLimiter })
        yield* run(pipeline, items(2), { rateLimiter })
        assert.deepStrictEqual([near.at.length, far.at.length], [6, 7])
      }),
  )

  it.effect("stays open when the probe fails, and lets only one probe through", () =>
    Effect.gen(function* () {
      const { components, far, near } = broken(["timeout", "timeout", "timeout", "timeout"])
      const { pipeline } = yield* workflowOf(flow(policies), components)
      const rateLimiter = new MemoryRateLimiter()
      yield* run(pipeline, items(3), { rateLimiter })
      yield* TestClock.adjust("30 seconds")
      yield* run(pipeline, items(5), { rateLimiter })
      assert.deepStrictEqual([near.at.length, far.at.length], [4, 8])
      yield* TestClock.adjust("29 seconds")
      yield* run(pipeline, items(1), { rateLimiter })
      assert.strictEqual(near.at.length, 4)
      yield* TestClock.adjust("2 seconds")
      yield* run(pipeline, items(1), { rateLimiter })
      assert.strictEqual(near.at.length, 5)
    }),
  )

  it.effect("ignores failures of the request itself and old failures", () =>
    Effect.gen(function* () {
      const { components, near } = broken([
        "auth",
        "content_filter",
        "rate_limit",
        "timeout",
        "timeout",
        "timeout",
      ])
      const { pipeline } = yield* workflowOf(flow(policies), components)
      const rateLimiter = new MemoryRateLimiter()
      yield* run(pipeline, items(3), { rateLimiter })
      for (let index = 0; index < 3; index++) {
        yield* run(pipeline, items(1), { rateLimiter })
        yield* TestClock.adjust("40 seconds")
      }
      yield* run(pipeline, items(1), { rateLimiter })
      assert.strictEqual(near.at.length, 7)
    }),
  )
})
