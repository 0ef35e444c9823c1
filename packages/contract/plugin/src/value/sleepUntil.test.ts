/** Pauses that end at a time. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect, it } from "vitest"
import { sleepUntil } from "./sleepUntil.ts"

const onTestClock = <A>(work: Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(Effect.provide(work, TestClock.layer()))

it("sleepUntil sleeps for the remaining time only", () =>
  onTestClock(
    Effect.gen(function* () {
      yield* TestClock.setTime(1000)
      const pause = yield* Effect.forkChild(sleepUntil(1500), { startImmediately: true })
      yield* TestClock.adjust(499)
      expect(pause.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      yield* Fiber.join(pause)
    }),
  ))

it("sleepUntil returns immediately if the time has passed", () =>
  onTestClock(
    Effect.gen(function* () {
      yield* TestClock.setTime(1000)
      const pause = yield* Effect.forkChild(sleepUntil(1000), { startImmediately: true })
      expect(pause.pollUnsafe()).toBeDefined()
    }),
  ))
