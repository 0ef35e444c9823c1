/** The works in bare Effect, without policies. */
import * as Effect from "effect/Effect"
import { start } from "../works/effectAgent.ts"
import { list, step } from "../works/Work.ts"
import type { Runs } from "./contestants.ts"

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

export const runs: Runs = { sequence, parallel, agent: await start() }
