/** Reviewers of `async`: they correct replies that have left. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { Finding, RunEvent, SessionStore, Subagent } from "@planloom/plugin/effect"
import { memorySessions, run, type RunOptions } from "@planloom/core"
import { isSampled } from "../src/review/sampling.ts"
import { finding } from "./probe.ts"
import { asking, loaded, source } from "./workflow.ts"

const reply = "Our rate is the best."

const late = (review: Subagent["review"], more: Partial<Subagent> = {}): Subagent =>
  asking("late", {
    class: "compliance",
    can: ["pass", "flag", "enrich", "replace", "block"],
    ...more,
    review,
  })

const ran = (section: string, reviewer: Subagent, options: RunOptions = {}) =>
  Effect.gen(function* () {
    const { pipeline } = yield* loaded(source(`shadow: ${section}`), reply, [reviewer])
    const events: Array<RunEvent> = []
    const onEvent = (one: RunEvent) => void events.push(one)
    const result = yield* run(pipeline, {}, { run: "r", onEvent, ...options })
    const corrections = events.flatMap((event) =>
      event.type === "OutputCorrected" ? [`${event.action}: ${event.text ?? ""}`] : [],
    )
    const reviews = events.flatMap((event) =>
      event.type === "Reviewed" ? [`${event.reviewer} ${event.cause} ${event.verdict ?? ""}`] : [],
    )
    return { answer: result.outputs["answer"], corrections, events, reviews }
  })

describe("a reviewer of `async`", () => {
  it.effect.each([
    [finding("pass"), reply, []],
    [finding("flag"), reply, []],
    [finding("replace", { text: "Rates vary." }), "Rates vary.", ["replace: Rates vary."]],
    [
      finding("replace", { spans: [{ start: 0, end: 3, text: "A" }] }),
      "A rate is the best.",
      ["replace: A rate is the best."],
    ],
    [
      finding("enrich", { text: "Fees apply." }),
      `${reply}\n\nFees apply.`,
      ["append: Fees apply."],
    ],
  ] as ReadonlyArray<readonly [Finding, string, ReadonlyArray<string>]>)(
    "corrects the reply by its finding: %o",
    ([given, answer, corrections]) =>
      Effect.gen(function* () {
        const made = yield* ran(
          "{ async: [late] }",
          late(({ text }) => Effect.succeed(text === reply ? given : finding("pass"))),
        )
        assert.deepStrictEqual([made.answer, made.corrections], [answer, corrections])
        assert.deepStrictEqual(made.reviews.slice(0, 1), [`late verdict ${given.verdict}`])
      }),
  )

  it.effect("retracts a blocked reply: its user gets the escalation text", () =>
    Effect.gen(function* () {
      const made = yield* ran(
        "{ async: [late] }",
        late(() => Effect.succeed(finding("block"))),
      )
      assert.strictEqual(made.corrections.length, 1)
      assert.strictEqual(made.corrections[0], `retract: ${String(made.answer)}`)
      assert.notInclude(String(made.answer), "rate")
      const ready = made.events.find((event) => event.type === "OutputReady")
      assert.strictEqual(ready?.value, reply)
    }),
  )

  it.effect("does not bring back what the validators of the gate took out", () =>
    Effect.gen(function* () {
      const made = yield* ran(
        "{ gate: [forbidden], async: [late] }",
        late(() => Effect.succeed(finding("replace", { text: "It is guaranteed." }))),
      )
      assert.notInclude(String(made.answer), "guaranteed")
      assert.include(made.corrections[0], "retract")
    }),
  )

  it.effect("that fails counts as a flag, whatever its class", () =>
    Effect.gen(function* () {
      const made = yield* ran(
        "{ async: [late] }",
        late(() => Effect.die(new Error("broken"))),
      )
      assert.deepStrictEqual(
        [made.answer, made.corrections, made.reviews],
        [reply, [], ["late error flag"]],
      )
    }),
  )

  it.effect("that is late ends with `async_timeout`, before its own limit", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const never = late(() => Effect.andThen(Deferred.succeed(started, undefined), Effect.never), {
        timeout: "1h",
      })
      const running = yield* Effect.forkChild(ran("{ async: [late], async_timeout: 5s }", never))
      yield* Deferred.await(started)
      yield* TestClock.adjust("5 seconds")
      const made = yield* Fiber.join(running)
      assert.deepStrictEqual([made.answer, made.reviews], [reply, ["late timeout flag"]])
    }),
  )

  it.effect.each([
    [", async_timeout: 5s", 6000],
    ["", 31_000],
  ] as const)("holds up the next turn of its session at most that long: {%s}", ([limit, ms]) =>
    Effect.gen(function* () {
      const announced: Array<number> = []
      const sessions: SessionStore = {
        ...memorySessions(),
        announce: (_, turn) => Effect.sync(() => void announced.push(turn.ms)),
      }
      const section = `{ async: [late]${limit} }\nsession: { request: hi, assistant: hello }`
      const passes = late(() => Effect.succeed(finding("pass")))
      yield* ran(section, passes, { session: "s", sessions })
      assert.deepStrictEqual(announced, [ms])
    }),
  )

  it.effect("reviews the share of runs that `sample` names, the same runs each time", () =>
    Effect.gen(function* () {
      const runs = Array.from({ length: 1000 }, (_, index) => `run-${index}`)
      const share = runs.filter((id) => isSampled("sample", id, 0.2)).length
      assert.isTrue(share > 150 && share < 250, `${share} of 1000`)
      const of = (id: string) =>
        Effect.map(
          ran(
            "{ async: [late], sample: 20% }",
            late(() => Effect.succeed(finding("pass"))),
            { run: id },
          ),
          ({ reviews }) => reviews.length,
        )
      const chosen = runs.find((id) => isSampled("sample", id, 0.2))!
      const others = runs.find((id) => !isSampled("sample", id, 0.2))!
      assert.deepStrictEqual([yield* of(chosen), yield* of(others)], [1, 0])
    }),
  )
})
