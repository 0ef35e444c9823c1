import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import {
  ModelFailed,
  StageFailed,
  stageKind,
  type FailureClass,
  type Provider,
} from "@planloom/plugin/effect"
import { collect } from "../../../test/collect.ts"
import { workflowOf } from "../../../test/inline.ts"
import { MemoryConcurrencyLimiter } from "./MemoryConcurrencyLimiter.ts"
import { emptyRecording, recordingJournal } from "../journal/journals.ts"

/** Fails with these classes in turn, then gives how often it was tried. */
const failing = (classes: ReadonlyArray<FailureClass>, retryAfter?: number) => {
  let tries = 0
  return stageKind<object>({
    id: "failing",
    summary: "Fails as told.",
    input: { type: "object" },
    output: { type: "integer" },
    run: () =>
      Effect.suspend(() => {
        const reason = classes[tries++]
        return reason === undefined
          ? Effect.succeed(tries)
          : Effect.fail(
              new StageFailed({
                class: reason,
                message: `try ${tries}`,
                ...(retryAfter === undefined ? {} : { retryAfter }),
              }),
            )
      }),
  })
}

/** Sleeps, and remembers who was interrupted. */
const sleeping = () => {
  const interrupted: Array<number> = []
  const finished: Array<number> = []
  const kind = stageKind<{ readonly ms: number }>({
    id: "sleeping",
    summary: "Sleeps.",
    input: { type: "object", properties: { ms: { type: "integer" } }, required: ["ms"] },
    output: { type: "integer" },
    run: ({ ms }) =>
      Effect.sleep(ms).pipe(
        Effect.onInterrupt(() => Effect.sync(() => void interrupted.push(ms))),
        Effect.tap(() => Effect.sync(() => finished.push(ms))),
        Effect.as(ms),
      ),
  })
  return { kind, interrupted, finished }
}

const delays = (events: ReadonlyArray<{ readonly type: string }>) =>
  events.flatMap((event) => ("delay" in event ? [event.delay as number] : []))

const after = <A, E, R>(effect: Effect.Effect<A, E, R>, time: `${number} seconds`) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust(time)
    return yield* Fiber.join(fiber)
  })

describe("retry", () => {
  const retrying = (policy: string) => `
policies: { retry: { again: ${policy} } }
stages: [{ id: a, uses: failing, retry: again }]
outputs: { a: "\${{ stages.a.output }}" }
`

  it.effect(
    "repeats the attempt on the listed failure classes, with exponential delays up to max_delay",
    () =>
      Effect.gen(function* () {
        const { pipeline } = yield* workflowOf(
          retrying(
            "{ max_retries: 4, delay: 1s, backoff: exponential, max_delay: 3s, jitter: false, on: [unavailable, timeout] }",
          ),
          { stages: [failing(["unavailable", "timeout", "unavailable", "unavailable"])] },
        )
        const { events, result } = yield* after(collect(pipeline), "60 seconds")
        assert.deepStrictEqual(result.outputs, { a: 5 })
        assert.strictEqual(result.stages["a"]?.attempts, 5)
        assert.deepStrictEqual(delays(events), [1000, 2000, 3000, 3000])
        assert.strictEqual(result.finishedAt! - result.startedAt, 9000)
      }),
  )

  it.effect("does not repeat the attempt on other failure classes", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        retrying("{ max_retries: 3, delay: 1s, on: [timeout] }"),
        { stages: [failing(["auth"])] },
      )
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.failure?.class, "auth")
      assert.strictEqual(result.stages["a"]?.attempts, 1)
    }),
  )

  it.effect("fails after max_retries and reports the number of attempts", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        retrying("{ max_retries: 2, delay: 1s, backoff: constant, jitter: false, on: [timeout] }"),
        { stages: [failing(["timeout", "timeout", "timeout", "timeout"])] },
      )
      const { events, result } = yield* after(collect(pipeline), "60 seconds")
      assert.strictEqual(result.failure?.message, "try 3")
      assert.strictEqual(result.stages["a"]?.attempts, 3)
      assert.deepStrictEqual(delays(events), [1000, 1000])
    }),
  )

  it.effect(
    "waits at least as long as the service requested, and jitters within the upper half",
    () =>
      Effect.gen(function* () {
        const asked = yield* workflowOf(
          retrying("{ max_retries: 1, delay: 1s, jitter: false, on: [rate_limit] }"),
          { stages: [failing(["rate_limit"], 7000)] },
        )
        assert.deepStrictEqual(
          delays((yield* after(collect(asked.pipeline), "60 seconds")).events),
          [7000],
        )
        const jittered = yield* workflowOf(
          retrying(
            "{ max_retries: 20, delay: 1s, backoff: constant, jitter: true, on: [timeout] }",
          ),
          { stages: [failing(Array.from({ length: 20 }, () => "timeout" as const))] },
        )
        const pauses = delays((yield* after(collect(jittered.pipeline), "60 seconds")).events)
        assert.strictEqual(pauses.length, 20)
        assert.isTrue(pauses.every((pause) => pause >= 500 && pause <= 1000))
        assert.isTrue(new Set(pauses).size > 5)
      }),
  )

  it.effect(
    "repeats an attempt whose output does not fit, of a stage and of an item of a list",
    () =>
      Effect.gen(function* () {
        let tries = 0
        const second = stageKind<object>({
          id: "second",
          summary: "Gives a text first, then a number.",
          input: { type: "object" },
          output: { type: "integer" },
          run: () => Effect.sync(() => (++tries % 2 === 1 ? "text" : tries)),
        })
        const { pipeline } = yield* workflowOf(
          `
defaults: { retry: [{ max_retries: 1, delay: 0ms, jitter: false, on: [invalid_output] }] }
stages:
  - { id: a, uses: second }
  - { id: b, uses: second, for_each: { in: "[1, 2]", max_parallel: 1 } }
outputs: { a: "\${{ stages.a.output }}", b: "\${{ stages.b.output }}" }
`,
          { stages: [second] },
        )
        const { result } = yield* collect(pipeline)
        assert.deepStrictEqual(result.outputs, { a: 2, b: [4, 6] })
        assert.deepStrictEqual(
          ["a", "b[0]", "b[1]"].map((path) => result.stages[path]?.attempts),
          [2, 2, 2],
        )
      }),
  )

  it.effect("counts each policy of a list on its own", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
policies:
  retry:
    busy: { max_retries: 1, delay: 1s, jitter: false, on: [rate_limit] }
    repair: { max_retries: 1, delay: 2s, jitter: false, on: [invalid_output] }
stages: [{ id: a, uses: failing, retry: [busy, repair] }]
`,
        { stages: [failing(["rate_limit", "invalid_output", "rate_limit"])] },
      )
      const { events, result } = yield* after(collect(pipeline), "60 seconds")
      assert.deepStrictEqual(delays(events), [1000, 2000])
      assert.strictEqual(result.failure?.class, "rate_limit")
    }),
  )
})

describe("a kind that returns no Effect", () => {
  it.effect("fails its stage as a defect, and `finally` still runs", () =>
    Effect.gen(function* () {
      const plain = stageKind<object>({
        id: "plain",
        summary: "Forgets to wrap what it gives.",
        input: { type: "object" },
        output: { type: "string" },
        run: () => "text" as never,
      })
      const { pipeline } = yield* workflowOf(
        `stages: [{ id: a, uses: plain }]
finally: [{ id: tidy, uses: echo, with: { value: '\${{ outcome == "failure" ? error.class : "" }}' } }]
`,
        { stages: [plain] },
      )
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.failure?.class, "internal")
      assert.include(result.failure?.message, 'the stage kind "plain" returned no Effect')
      assert.strictEqual(result.stages["tidy"]?.output, "internal")
    }),
  )
})

describe("timeout", () => {
  it.effect("interrupts an attempt that takes too long, and each attempt has its own time", () =>
    Effect.gen(function* () {
      const { finished, interrupted, kind } = sleeping()
      const { pipeline } = yield* workflowOf(
        `
policies: { retry: { again: { max_retries: 2, delay: 1s, jitter: false, backoff: constant, on: [timeout] } } }
stages: [{ id: a, uses: sleeping, with: { ms: 20000 }, timeout: 5s, retry: again }]
`,
        { stages: [kind] },
      )
      const { result } = yield* after(collect(pipeline), "60 seconds")
      assert.strictEqual(result.failure?.class, "timeout")
      assert.strictEqual(result.failure?.message, 'stage "a" gave no output in 5s')
      assert.strictEqual(result.finishedAt! - result.startedAt, 5000 + 1000 + 5000 + 1000 + 5000)
      assert.deepStrictEqual(interrupted, [20000, 20000, 20000])
      assert.deepStrictEqual(finished, [])
    }),
  )

  it.effect("of the run ends everything at once, and finally still runs", () =>
    Effect.gen(function* () {
      const { interrupted, kind } = sleeping()
      const { pipeline } = yield* workflowOf(
        `
timeout: 3s
stages:
  - { id: a, uses: sleeping, needs: [], with: { ms: 10000 } }
  - { id: b, uses: sleeping, needs: [], with: { ms: 20000 } }
finally: [{ id: tidy, uses: echo, with: { value: '\${{ outcome == "failure" ? error.class : "" }}' } }]
`,
        { stages: [kind] },
      )
      const { result } = yield* after(collect(pipeline), "60 seconds")
      assert.strictEqual(result.failure?.class, "timeout")
      assert.strictEqual(result.finishedAt! - result.startedAt, 3000)
      assert.deepStrictEqual(interrupted.toSorted(), [10000, 20000])
      assert.strictEqual(result.stages["tidy"]?.output, "timeout")
      assert.strictEqual(result.stages["a"]?.outcome, "cancelled")
    }),
  )

  it.effect("sets no timer for synchronous work", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `stages: [{ id: a, uses: increment, with: { value: 1 }, timeout: 1s }]`,
      )
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.stages["a"]?.output, 2)
    }),
  )
})

describe("budget", () => {
  const counting: Provider = {
    id: "counting",
    summary: "Ten tokens a call.",
    generate: () =>
      Effect.succeed({
        text: "word",
        reasoning: "",
        toolCalls: [],
        finish: "stop",
        usage: { input: 6, output: 4 },
      }),
  }
  const asking = stageKind<object>({
    id: "asking",
    summary: "Asks the model.",
    input: { type: "object" },
    output: { type: "string" },
    model: (_, context) =>
      Effect.map(
        context.model.text({ messages: [{ role: "user", content: "?" }] }),
        ({ text }) => text,
      ),
  })

  it.effect("of tokens refuses the call that would begin above it", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
policies: { budget: { tokens: 25 } }
defaults: { model: counting/any }
stages:
  - { id: ask, uses: asking, for_each: { in: "[1, 2, 3, 4, 5]", max_parallel: 1 } }
`,
        { stages: [asking], providers: [counting] },
      )
      const { result } = yield* collect(pipeline)
      assert.strictEqual(result.failure?.class, "budget")
      assert.deepStrictEqual(result.failure?.detail, { key: "tokens", limit: 25, used: 30 })
      assert.strictEqual(result.usage.modelCalls, 3)
      assert.strictEqual(result.usage.inputTokens + result.usage.outputTokens, 30)
    }),
  )

  it.effect("of a stage counts for that stage alone", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
defaults: { model: counting/any }
stages:
  - { id: a, uses: asking }
  - { id: b, uses: asking, budget: { model_calls: 1 } }
  - { id: c, uses: asking, budget: { model_calls: 1 }, for_each: { in: "[1]" } }
`,
        { stages: [asking], providers: [counting] },
      )
      assert.strictEqual((yield* collect(pipeline)).result.status, "succeeded")
    }),
  )

  it.effect("of money refuses a model without a known price", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(
        workflowOf(
          `
policies: { budget: { cost_usd: 1 } }
defaults: { model: counting/any }
stages: [{ id: a, uses: asking }]
`,
          { stages: [asking], providers: [counting] },
        ),
      )
      assert.include(String(refused), 'nothing is known of the model "counting/any"')
    }),
  )

  it.effect("of a stage's time covers all its attempts and pauses", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
policies: { retry: { again: { max_retries: 9, delay: 2s, backoff: constant, jitter: false, on: [timeout] } } }
stages: [{ id: a, uses: failing, retry: again, budget: { time: 5s } }]
`,
        { stages: [failing(Array.from({ length: 9 }, () => "timeout" as const))] },
      )
      const { result } = yield* after(collect(pipeline), "60 seconds")
      assert.strictEqual(result.failure?.class, "budget")
      // The pause after the third attempt would end a second too late.
      assert.strictEqual(result.finishedAt! - result.startedAt, 4000)
      assert.strictEqual(result.stages["a"]?.attempts, 3)
    }),
  )

  it.effect("of time ends the run with its own failure", () =>
    Effect.gen(function* () {
      const { kind } = sleeping()
      const { pipeline } = yield* workflowOf(
        `
policies: { budget: { time: 2s } }
stages: [{ id: a, uses: sleeping, with: { ms: 9000 } }]
`,
        { stages: [kind] },
      )
      const { result } = yield* after(collect(pipeline), "60 seconds")
      assert.strictEqual(result.failure?.class, "budget")
      assert.strictEqual(result.finishedAt! - result.startedAt, 2000)
    }),
  )
})

describe("concurrency", () => {
  const grouped = (onLimit: string) => `
concurrency: { group: g, limit: 1, on_limit: ${onLimit} }
stages: [{ id: a, uses: sleeping, with: { ms: 1000 } }]
`
  const two = Effect.fnUntraced(function* (onLimit: string) {
    const { kind } = sleeping()
    const { pipeline } = yield* workflowOf(grouped(onLimit), { stages: [kind] })
    const concurrencyLimiter = new MemoryConcurrencyLimiter()
    return yield* after(
      Effect.all(
        [
          collect(pipeline, {}, { concurrencyLimiter }),
          collect(pipeline, {}, { concurrencyLimiter }),
        ],
        {
          concurrency: "unbounded",
        },
      ),
      "60 seconds",
    )
  })

  it.effect("queue runs one after the other", () =>
    Effect.gen(function* () {
      const [first, second] = yield* two("queue")
      assert.strictEqual(first.result.status, "succeeded")
      assert.strictEqual(second.result.status, "succeeded")
      assert.deepStrictEqual(
        [first, second].map(({ result }) => result.finishedAt! - result.startedAt).toSorted(),
        [1000, 2000],
      )
    }),
  )

  it.effect("fail refuses the second", () =>
    Effect.gen(function* () {
      const [first, second] = yield* two("fail")
      assert.strictEqual(first.result.status, "succeeded")
      assert.strictEqual(second.result.failure?.class, "cancelled")
    }),
  )

  it.effect("cancel ends the first in favour of the second", () =>
    Effect.gen(function* () {
      const [first, second] = yield* two("cancel")
      assert.strictEqual(first.result.failure?.class, "cancelled")
      assert.include(first.result.failure?.message ?? "", "newer")
      assert.strictEqual(second.result.status, "succeeded")
    }),
  )

  it.effect("lets the next one in when a waiting run is cancelled", () =>
    Effect.gen(function* () {
      const { finished, kind } = sleeping()
      const { pipeline } = yield* workflowOf(grouped("queue"), { stages: [kind] })
      const concurrencyLimiter = new MemoryConcurrencyLimiter()
      const start = () => Effect.forkChild(collect(pipeline, {}, { concurrencyLimiter }))
      const first = yield* start()
      const second = yield* start()
      const third = yield* start()
      yield* TestClock.adjust("500 millis")
      yield* Fiber.interrupt(second)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(first)).result.status, "succeeded")
      assert.strictEqual((yield* Fiber.join(third)).result.status, "succeeded")
      assert.deepStrictEqual(finished, [1000, 1000])
    }),
  )
})

describe("a model alias", () => {
  const refusing = (reason: FailureClass): Provider => ({
    id: "refusing",
    summary: "Refuses.",
    generate: () => Effect.fail(new ModelFailed({ class: reason, model: "any", message: "no" })),
  })
  const both = stageKind<object>({
    id: "both",
    summary: "Asks, or counts by itself.",
    input: { type: "object" },
    output: { type: "string" },
    model: (_, context) =>
      Effect.map(
        context.model.text({ messages: [{ role: "user", content: "?" }] }),
        ({ text }) => text,
      ),
    mechanical: () => Effect.succeed("mechanical"),
  })
  const answering: Provider = {
    id: "answering",
    summary: "Answers.",
    generate: () =>
      Effect.succeed({
        text: "answered",
        reasoning: "",
        toolCalls: [],
        finish: "stop",
        usage: { input: 1, output: 1 },
      }),
  }

  it.effect("calls the next model when the first one fails", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
models: { planner: { try: [refusing/any, answering/any] } }
stages: [{ id: a, uses: both, model: planner }]
outputs: { a: "\${{ stages.a.output }}" }
`,
        { stages: [both], providers: [refusing("overloaded"), answering] },
      )
      const { result } = yield* collect(pipeline)
      assert.deepStrictEqual(result.outputs, { a: "answered" })
      assert.strictEqual(result.usage.modelCalls, 2)
      assert.deepStrictEqual(result.degraded, [])
    }),
  )

  it.effect(
    "falls back to the mechanical strategy where it says so, and the run says degraded",
    () =>
      Effect.gen(function* () {
        const { pipeline } = yield* workflowOf(
          `
models: { planner: { try: [refusing/any], otherwise: mechanical } }
stages: [{ id: a, uses: both, model: planner }]
outputs: { a: "\${{ stages.a.output }}" }
`,
          { stages: [both], providers: [refusing("unavailable")] },
        )
        const { result } = yield* collect(pipeline)
        assert.deepStrictEqual(result.outputs, { a: "mechanical" })
        assert.deepStrictEqual(result.degraded, [
          { path: "a", reason: "refusing/any: unavailable: no" },
        ])
        assert.strictEqual(result.stages["a"]?.strategy, "mechanical")
      }),
  )

  it.effect("pauses between its attempts by either strategy", () =>
    Effect.gen(function* () {
      let tries = 0
      const late = stageKind<object>({
        id: "late",
        summary: "Fails by its model, and once without.",
        input: { type: "object" },
        output: { type: "integer" },
        model: () => Effect.fail(new StageFailed({ class: "unavailable", message: "no" })),
        mechanical: () =>
          Effect.suspend(() =>
            ++tries === 1
              ? Effect.fail(new StageFailed({ class: "unavailable", message: "not yet" }))
              : Effect.clockWith((clock) => clock.currentTimeMillis),
          ),
      })
      const { pipeline } = yield* workflowOf(
        `
models: { planner: { try: [refusing/any], otherwise: mechanical } }
policies: { retry: { again: { max_retries: 1, delay: 1s, jitter: false, on: [unavailable] } } }
stages: [{ id: a, uses: late, model: planner, retry: again }]
outputs: { ended: "\${{ stages.a.output }}" }
`,
        { stages: [late], providers: [refusing("unavailable")] },
      )
      const recording = emptyRecording()
      const { result } = yield* after(
        collect(pipeline, {}, { journal: recordingJournal(recording) }),
        "10 seconds",
      )
      assert.deepStrictEqual(result.outputs, { ended: 2000 })
      assert.deepStrictEqual(
        [...recording.sleeps],
        [
          ["a/model:1/pause:1", 1000],
          ["a/mechanical:1/pause:1", 2000],
        ],
      )
    }),
  )

  it.effect("does not hide a failure that is not the model's", () =>
    Effect.gen(function* () {
      const { pipeline } = yield* workflowOf(
        `
models: { planner: { try: [refusing/any], otherwise: mechanical } }
stages: [{ id: a, uses: both, model: planner }]
`,
        { stages: [both], providers: [refusing("invalid_request")] },
      )
      assert.strictEqual((yield* collect(pipeline)).result.failure?.class, "invalid_request")
    }),
  )
})
