import { assert, describe, it } from "@effect/vitest"
import type { RunRecord } from "@planloom/plugin/effect"
import { Cancellation } from "@planloom/core"
import * as Effect from "effect/Effect"
import type { RunUnderWay } from "./leaveRuns.ts"
import { Solo } from "./Solo.ts"

const record = (run: string, attemptsWithoutProgress?: number): RunRecord => ({
  run,
  workflow: "test",
  status: "running",
  inputs: {},
  startedAt: 1,
  epoch: 1,
  active: false,
  ...(attemptsWithoutProgress === undefined ? {} : { attemptsWithoutProgress }),
})

const underWay = (isSuspect: boolean): RunUnderWay => ({
  cancellation: new Cancellation(),
  fiber: Effect.runFork(Effect.void),
  isSuspect,
})

describe("a run whose owner fell silent", () => {
  it("waits for the runs under way, then executes alone until it is left", () => {
    const solo = new Solo()
    assert.isFalse(solo.admits(record("suspect", 1), [underWay(false)], 0))
    assert.isTrue(solo.admits(record("other"), [underWay(false)], 0))
    assert.isTrue(solo.admits(record("suspect", 1), [], 1))
    assert.isFalse(solo.admits(record("other"), [underWay(true)], 2))
    assert.isFalse(solo.admits(record("second", 1), [underWay(true)], 2))
    solo.leave("other")
    assert.strictEqual(solo.run, "suspect")
    solo.leave("suspect")
    assert.isTrue(solo.admits(record("other"), [underWay(true)], 3))
  })

  it("executes beside earlier suspects that have recorded a step", () => {
    const solo = new Solo()
    assert.isTrue(solo.admits(record("first", 1), [], 0))
    solo.leave("first")
    assert.isTrue(solo.admits(record("second", 1), [underWay(true)], 1))
    assert.strictEqual(solo.run, "second")
  })

  it("is not starved: after ten seconds no other run starts before it", () => {
    const solo = new Solo()
    assert.isFalse(solo.admits(record("suspect", 1), [underWay(false)], 1000))
    assert.isTrue(solo.admits(record("other"), [underWay(false)], 10_999))
    assert.isFalse(solo.admits(record("other"), [underWay(false)], 11_000))
    assert.isTrue(solo.isDue(11_000))
    assert.isTrue(solo.admits(record("suspect", 1), [], 12_000))
    solo.leave("suspect")
    assert.isTrue(solo.admits(record("other"), [], 12_001))
  })

  it("holds nothing up once another process has it", () => {
    const solo = new Solo()
    solo.begin()
    assert.isFalse(solo.admits(record("suspect", 1), [underWay(false)], 0))
    solo.end()
    assert.isTrue(solo.isDue(10_000))
    solo.begin()
    solo.end()
    assert.isTrue(solo.admits(record("other"), [underWay(false)], 10_000))
  })

  it("ends the watch on its steps when it is left", () => {
    const solo = new Solo()
    solo.admits(record("suspect", 1), [], 0)
    let ended = 0
    solo.watch(() => ended++)
    solo.leave("suspect")
    solo.leave("suspect")
    assert.strictEqual(ended, 1)
  })
})
