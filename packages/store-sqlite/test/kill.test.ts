/** kill -9 at the boundaries of steps: the run is there, goes on, and repeats nothing that was recorded. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { newFolder, storeAt } from "./store.ts"

const start = (folder: string, moment: number) =>
  new Promise<{ readonly killed: boolean; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      const child = spawn(process.execPath, [
        join(import.meta.dirname, "victim.ts"),
        folder,
        String(moment),
      ])
      let stdout = ""
      let stderr = ""
      child.stdout.on("data", (data: Buffer) => (stdout += data.toString()))
      child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
      child.on("close", (_, signal) => resolve({ killed: signal === "SIGKILL", stdout, stderr }))
    },
  )

const happenedIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readFileSync(join(folder, "happened"), "utf8").trimEnd().split("\n")
  } catch {
    return []
  }
}

/** An attempt has seven moments, so each kind is met all over the run; 1 tries them all. */
const STRIDE = 11

/** Dies at this moment, is started again, and tells what was lost and what was repeated. */
const once = async (moment: number, wanted: string, count: number) => {
  const folder = newFolder()
  const first = await start(folder, moment)
  const store = storeAt(join(folder, "runs.db"))
  const recorded = first.killed ? (await Effect.runPromise(store.steps("r"))).length : 0
  const second = await start(folder, 0)
  const events = await Effect.runPromise(store.events("r"))
  assert.deepStrictEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index),
  )
  const happened = happenedIn(folder)
  return {
    killed: first.killed,
    recorded,
    lost: second.stdout === wanted ? 0 : 1,
    repeated: happened.length - count,
    said: second.stderr,
  }
}

it(
  "kill -9 before and after effects and records, all over a run, loses no run and repeats at most what was in flight",
  { timeout: 180_000 },
  async () => {
    const undisturbed = newFolder()
    const { stderr, stdout: wanted } = await start(undisturbed, 0)
    assert.isAbove(wanted.length, 10, stderr)
    const count = happenedIn(undisturbed).length
    let moment = 1
    let recorded = 0
    let inFlight = 0
    // Two at a time, each in a folder of its own.
    for (let alive = true; alive; moment += 2 * STRIDE) {
      const ends = await Promise.all([
        once(moment, wanted, count),
        once(moment + STRIDE, wanted, count),
      ])
      for (const end of ends) {
        assert.strictEqual(end.lost, 0, `moment ${moment}: ${end.said}`)
        // Only an effect killed between its end and its record happens twice.
        assert.isAtMost(end.repeated, 1, `moment ${moment}`)
        if (!end.killed) alive = false
        recorded += end.recorded
        inFlight += end.repeated
      }
    }
    assert.isAbove(moment, 40)
    assert.isAbove(recorded, 40)
    assert.isAbove(inFlight, 0)
  },
)
