/** Generated workflows, killed at any moment: they end as without a kill, and recorded work does not happen again. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import type { RunStore } from "@planloom/plugin/effect"
import type { RunResult } from "@planloom/core"
import { openStore } from "../src/index.ts"
import { anyWorkflow, loadAny } from "./anyWorkflow.ts"
import type { Whole } from "./Shape.ts"
import { newFolder } from "./store.ts"
import { answerTo, recordedToEnd, toEnd, untilDone, Witness, type Past } from "./Witness.ts"
import { cases } from "../../../../.config/cases.ts"

/** Removes timing differences: which of two failures comes first, and what it cancels. */
const ending = ({ outputs, status }: RunResult) => ({ status, outputs })

/** Repeats what the process did until it was killed at this moment. */
const copyStore = (from: string, to: string): void => {
  mkdirSync(to)
  for (const name of ["runs.db", "runs.db-wal"]) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name))
  }
}

const inStore = <A, E>(folder: string, use: (store: RunStore) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(openStore(join(folder, "runs.db")), use))

const holds = (whole: Whole, kills: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const witness = new Witness()
    const folder = newFolder()
    const { pipeline } = yield* loadAny(whole, folder, witness)
    const unrecorded = yield* untilDone(
      toEnd(pipeline, { run: "r", answer: (wait) => Effect.succeed(answerTo(wait)) }),
      witness,
    )
    const expected = ending(unrecorded)
    const moments = witness.moment
    witness.reset()
    const at = new Map(kills.map((share) => [Math.floor(share * moments), 0] as const))
    const pasts = new Map<number, Past>()
    const live = join(folder, "live")
    mkdirSync(live)
    witness.at = (moment, past) => {
      if (!at.has(moment)) return
      copyStore(live, join(folder, `killed-${moment}`))
      pasts.set(moment, past)
    }
    const recorded = yield* inStore(live, (store) => recordedToEnd(pipeline, store, witness))
    assert.deepStrictEqual(ending(recorded), expected, "recorded")
    assert.deepStrictEqual(witness.begun.length, new Set(witness.begun).size, "each effect once")
    for (const [moment, past] of pasts) {
      witness.reset()
      const dead = join(folder, `killed-${moment}`)
      const again = yield* inStore(dead, (store) => recordedToEnd(pipeline, store, witness))
      assert.deepStrictEqual(ending(again), expected, `killed at ${moment}`)
      const repeated = witness.begun.filter(
        (effect) => effect !== past.last && past.ended.includes(effect),
      )
      assert.deepStrictEqual(repeated, [], `killed at ${moment}, done again`)
    }
  })

describe("a generated workflow on the SQLite store", { timeout: 120_000 }, () => {
  // oxlint-disable-next-line vitest/expect-expect -- `holds` asserts
  it("killed at any moment ends the same and repeats only work in flight", () =>
    fc.assert(
      fc.asyncProperty(
        anyWorkflow,
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 4 }),
        (whole, kills) =>
          Effect.runPromise(
            Effect.scoped(holds(whole, kills)).pipe(Effect.provide(TestClock.layer())),
          ),
      ),
      { numRuns: cases(20, 2) },
    ))
})
