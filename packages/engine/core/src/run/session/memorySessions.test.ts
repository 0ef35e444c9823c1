/** Sessions in memory: what they remember of the runs that were saved. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { memorySessions } from "./memorySessions.ts"

const change = { workflow: "test", turns: [], state: {}, at: 1 }

describe("sessions in memory", () => {
  it.effect("save a run once, also after hundreds of others", () =>
    Effect.gen(function* () {
      const sessions = memorySessions()
      const first = { ...change, run: "first", after: undefined }
      const saved = yield* sessions.save("s", first)
      for (let n = 0; n < 900; n++) {
        yield* sessions.save(`${n}`, { ...change, run: `run ${n}`, after: undefined })
      }
      yield* sessions.save("s", { ...change, run: "second", after: "first" })
      assert.deepStrictEqual(yield* sessions.save("s", first), saved)
    }),
  )

  it.effect("forget the oldest of thousands of runs, which then conflicts with later turns", () =>
    Effect.gen(function* () {
      const sessions = memorySessions()
      const first = { ...change, run: "run 0", after: undefined }
      yield* sessions.save("s", first)
      for (let n = 1; n <= 1000; n++) {
        yield* sessions.save("s", { ...change, run: `run ${n}`, after: `run ${n - 1}` })
      }
      assert.deepStrictEqual(yield* sessions.save("s", first), {
        saved: false,
        version: 1001,
        run: "run 1000",
      })
    }),
  )
})
