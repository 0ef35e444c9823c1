/** The works in bare Effect, without policies. */
import * as Effect from "effect/Effect"
import { list, step, type Runs } from "./contestants.ts"

const sequence = () =>
  Effect.runPromise(
    Effect.gen(function* () {
      let value = 1
      for (let index = 0; index < 10; index++) {
        const given = value
        value = yield* Effect.promise(() => step(given))
      }
    }),
  )

const parallel = () =>
  Effect.runPromise(
    Effect.forEach(list, (value) => Effect.promise(() => step(value)), { concurrency: 10 }),
  )

const agent = () =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* Effect.succeed("")
      yield* Effect.forEach([1, 2], (value) => Effect.succeed(value * 2), { concurrency: 2 })
      const answer = JSON.parse(yield* Effect.succeed('{"sum":6}')) as { sum: unknown }
      if (!Number.isInteger(answer.sum)) throw new Error("wrong")
    }),
  )

export const runs: Runs = {
  sequence: () => sequence,
  parallel: () => parallel,
  agent: () => agent,
}
