/** The scripted model, asked as the engine asks it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { ModelRequest } from "@planloom/plugin/effect"
import { scriptedProvider } from "./scriptedProvider.ts"

const asking = (content: string, model = "planner"): ModelRequest => ({
  model,
  system: [{ text: "You plan." }],
  messages: [{ role: "user", content }],
})

describe("a scripted provider", () => {
  it.effect("gives its replies in order and remembers the requests", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([
        { json: { ok: true } },
        { text: "bye", usage: { input: 3, output: 1 } },
      ])
      const first = yield* provider.generate(asking("one"))
      const second = yield* provider.generate(asking("two"))
      assert.strictEqual(first.text, '{"ok":true}')
      assert.deepStrictEqual(second, {
        text: "bye",
        reasoning: "",
        toolCalls: [],
        finish: "stop",
        usage: { input: 3, output: 1 },
      })
      assert.deepStrictEqual(
        provider.requests.map(({ messages }) => messages[0]!.content),
        ["one", "two"],
      )
      provider.assertExhausted()
    }),
  )

  it.effect("keeps a reply for the request that contains its text, wherever in the prompt", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([
        { text: "about units", when: "units" },
        { text: "from the system", when: "You plan." },
        { text: "anything" },
      ])
      assert.strictEqual((yield* provider.generate(asking("revenue"))).text, "from the system")
      assert.strictEqual((yield* provider.generate(asking("units sold"))).text, "about units")
      assert.strictEqual((yield* provider.generate(asking("units sold"))).text, "anything")
    }),
  )

  it.effect("keeps a list for each model", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider({
        planner: [{ text: "plan" }],
        writer: [{ text: "prose" }],
      })
      assert.strictEqual((yield* provider.generate(asking("?", "writer"))).text, "prose")
      assert.deepStrictEqual(provider.unused(), [
        { model: "planner", index: 0, reply: { text: "plan" } },
      ])
      const failure = yield* Effect.flip(provider.generate(asking("?", "critic")))
      assert.strictEqual(failure.message, 'there is no script for the model "critic"')
    }),
  )

  it.effect("fails with a class that nothing falls back from when its script has run out", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider({ planner: [{ text: "only" }] })
      yield* provider.generate(asking("first"))
      const failure = yield* Effect.flip(provider.generate(asking("second")))
      assert.strictEqual(failure.class, "internal")
      assert.strictEqual(
        failure.message,
        'the script of "planner" has 1 reply; request 2 asks: second',
      )
      assert.throws(() => provider.assertExhausted(), "request 2 asks: second")
    }),
  )

  it("lists unused replies", () => {
    const provider = scriptedProvider({ planner: [{ json: { a: 1 } }] })
    assert.throws(
      () => provider.assertExhausted(),
      '1 reply not used:\nreply 1 of "planner": {"json":{"a":1}}',
    )
  })

  it.effect("fails as it is told to, with the class and the pause asked for", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([
        { fail: { class: "rate_limit", retry_after: 2000 } },
        { fail: { class: "content_filter", message: "no" } },
      ])
      const limited = yield* Effect.flip(provider.generate(asking("?")))
      assert.deepInclude(
        { ...limited },
        { class: "rate_limit", retryAfter: 2000, model: "scripted/planner" },
      )
      const refused = yield* Effect.flip(Stream.runDrain(provider.stream(asking("?"))))
      assert.strictEqual(refused.message, "no")
    }),
  )

  it.effect("waits on Effect's clock, and an interruption ends the wait", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([
        { text: "late", delay: 1000 },
        { text: "never", delay: 1000 },
      ])
      const late = yield* Effect.forkChild(provider.generate(asking("?")))
      yield* TestClock.adjust(999)
      assert.isUndefined(late.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(late)).text, "late")
      const never = yield* Effect.forkChild(provider.generate(asking("?")))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(never)
      assert.strictEqual(never.pollUnsafe()?._tag, "Failure")
    }),
  )

  it.effect("streams reasoning, pieces and calls, and the finish last", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([
        {
          chunks: ["No", "rth"],
          reasoning: "hm",
          tool_calls: [{ name: "top", arguments: { limit: 3 } }],
        },
      ])
      assert.deepStrictEqual(yield* Stream.runCollect(provider.stream(asking("?"))), [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "No" },
        { type: "text", text: "rth" },
        { type: "tool_call", call: { id: "call_1", name: "top", arguments: { limit: 3 } } },
        { type: "finish", reason: "tool_calls", usage: { input: 0, output: 0 } },
      ])
    }),
  )

  it.effect("can break off a stream that has begun", () =>
    Effect.gen(function* () {
      const provider = scriptedProvider([{ chunks: ["No"], fail: { class: "unavailable" } }])
      const came: Array<string> = []
      const failure = yield* provider.stream(asking("?")).pipe(
        Stream.runForEach((part) => Effect.sync(() => came.push(part.type))),
        Effect.flip,
      )
      assert.deepStrictEqual(came, ["text"])
      assert.strictEqual(failure.class, "unavailable")
    }),
  )
})
