/** Budgets and breakers of reviewers. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { Breakers } from "../src/review/Breaker.ts"
import { Panel } from "../src/review/Panel.ts"
import { RunBudgets } from "../src/review/RunBudgets.ts"
import type { ShadowConfig } from "../src/ShadowConfig.ts"
import { ESCALATION, gated, pass, type Answer, type Probe } from "./probe.ts"

/** Replies under one panel, one after another; how often the reviewer was asked. */
const judged = (config: ShadowConfig) => {
  const panel = new Panel({ gate: ["judge"], ...config })
  let asked = 0
  let answer: Answer = "error"
  const judge = {
    id: "judge",
    class: "safety",
    review: () => {
      asked++
      return answer
    },
  } as Probe
  return {
    asked: () => asked,
    answer: (given: Answer) => {
      answer = given
    },
    reply: (run = "run") =>
      Effect.map(gated([judge], ["Good."], panel.config, { panel, run }), ({ text }) => text),
  }
}

describe("a breaker", () => {
  const breaker = { failures: 2, within: "1m", probe_after: "30s" }

  it.effect("keeps a reviewer that fails from being asked until a probe passes", () =>
    Effect.gen(function* () {
      const { answer, asked, reply } = judged({ breaker })
      for (const expected of [1, 2, 2]) {
        assert.strictEqual(yield* reply(), ESCALATION)
        assert.strictEqual(asked(), expected)
      }
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* reply(), ESCALATION)
      assert.strictEqual(yield* reply(), ESCALATION)
      assert.strictEqual(asked(), 3)
      answer(pass)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* reply(), "Good.")
      assert.strictEqual(yield* reply(), "Good.")
      assert.strictEqual(asked(), 5)
    }),
  )

  it.effect("forgets failures that are too far apart", () =>
    Effect.gen(function* () {
      const { asked, reply } = judged({ breaker })
      for (const _ of [1, 2, 3]) {
        yield* reply()
        yield* TestClock.adjust("1 minute")
      }
      assert.strictEqual(asked(), 3)
    }),
  )

  it("admits one probe at a time", () => {
    const breakers = new Breakers({ ...breaker, failures: 1 })
    breakers.ended("judge", false, 0)
    assert.deepStrictEqual(
      [29_999, 30_000, 30_001, 60_000].map((now) => breakers.admits("judge", now)),
      [false, true, false, true],
    )
    assert.isTrue(breakers.admits("other", 1))
  })
})

describe("a budget of reviewers", () => {
  it("counts the runs apart, in tokens and in money", () => {
    const budgets = new RunBudgets({ tokens: 10, cost_usd: 1 })
    budgets.book("one", { tokens: 6, usd: 0.1 })
    assert.isFalse(budgets.isSpent("one"))
    budgets.book("one", { tokens: 4, usd: 0 })
    budgets.book("two", { tokens: 1, usd: 1 })
    assert.deepStrictEqual(
      ["one", "two", "three"].map((run) => budgets.isSpent(run)),
      [true, true, false],
    )
  })
})
