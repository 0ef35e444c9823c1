/** kill -9 at step boundaries: the run is found, resumes without a person, and repeats no recorded work. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { whenRecorded } from "../../../../bench/chaos/kills.ts"
import { trial } from "../../../../bench/chaos/trial.ts"
import { cases } from "../../../../.config/cases.ts"
import { newFolder } from "./store.ts"

/** Every kind of record; an attempt has six kill points, so each kind is hit across the run. */
const everything = join(import.meta.dirname, "workflow.ts")
const storm = join(import.meta.dirname, "../../../../bench/chaos/storm.ts")

/** Of the moments at which the process is killed; `prove --all` tries each. */
const STRIDE = Math.max(1, Math.round(13 / cases(1)))

describe("kill -9 of a process with the SQLite store", { timeout: 180_000 * cases(1) }, () => {
  it("before or after any effect or record loses nothing and repeats at most work in flight", async () => {
    const { lost, outputs } = await trial(everything, newFolder(), [])
    assert.deepStrictEqual(lost, [])
    assert.strictEqual(outputs.size, 1)
    const once = (count: number) =>
      trial(everything, newFolder(), [{ moment: "any", count }], outputs)
    let moment = 1
    let recorded = 0
    let inFlight = 0
    // Two at a time, each in its own folder.
    for (let alive = true; alive; moment += 2 * STRIDE) {
      const tallies = await Promise.all([once(moment), once(moment + STRIDE)])
      for (const tally of tallies) {
        assert.deepStrictEqual(tally.lost, [], `moment ${moment}`)
        assert.deepStrictEqual(tally.recordedRepeated, [], `moment ${moment}`)
        // Only an effect killed between its end and its record happens twice.
        assert.isAtMost(tally.endedRepeated, 1, `moment ${moment}`)
        if (tally.kills === 0) alive = false
        recorded += tally.recordedAtDeath
        inFlight += tally.endedRepeated
      }
    }
    assert.isAbove(moment, 60)
    assert.isAbove(recorded, 30)
    assert.isAbove(inFlight, 0)
  })

  it("halfway through forty runs: the next process finds and finishes all of them", async () => {
    const { outputs } = await trial(storm, newFolder(), [])
    const tally = await trial(storm, newFolder(), [whenRecorded(200)], outputs)
    assert.strictEqual(tally.kills, 1)
    assert.isAtLeast(tally.recordedAtDeath, 200)
    assert.deepStrictEqual(tally.lost, [])
    assert.deepStrictEqual(tally.recordedRepeated, [])
    assert.isAtMost(tally.endedRepeated, 5)
  })
})
