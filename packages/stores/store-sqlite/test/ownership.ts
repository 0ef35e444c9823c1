/** Owners of runs as other processes, which pause at a gate: what they did, and what the store has of it. */
import { watch } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { sightings, type Sighting } from "../../../../bench/chaos/Witness.ts"
import { newFile, start, storeAt } from "./store.ts"

export const gated = join(import.meta.dirname, "gated.ts")

export const HEARTBEAT_MS = 100

/** Five missed heartbeats mean a dead owner; this is three times as many. */
export const LONG_SILENCE = 15

export const seenIn = (folder: string) => sightings(join(folder, "witness"))

/** Resolves once the witness file in a folder exists. */
export const seen = (folder: string, is: (sighting: Sighting) => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (!seenIn(folder).some(is)) return
      watcher.close()
      resolve()
    }
    const watcher = watch(folder, look)
    look()
  })

export const atGate = ({ fact, what }: Sighting) => fact === "started" && what === "gate"
export const isWatching = ({ fact }: Sighting) => fact === "watching"

/** Waits for `count` heartbeats of a store of this process; on a slow machine they are slow as well. */
export const heartbeats = async (count: number): Promise<void> => {
  const path = newFile()
  const { close } = await Effect.runPromise(
    storeAt(path, { heartbeat: HEARTBEAT_MS }).open(start("r")),
  )
  const database = new DatabaseSync(path)
  const row = database.prepare("SELECT heartbeat FROM runs")
  while (Number(row.get()!["heartbeat"]) < count) {
    await new Promise((resolve) => setTimeout(resolve, HEARTBEAT_MS / 4))
  }
  database.close()
  await Effect.runPromise(close)
}

export const recordIn = async (folder: string, run = "gated") => {
  const store = storeAt(join(folder, "runs.db"), { heartbeat: HEARTBEAT_MS })
  return {
    record: await Effect.runPromise(store.show(run)),
    steps: await Effect.runPromise(store.steps(run)),
    events: await Effect.runPromise(store.events(run)),
  }
}

/** The process that started the gate opens it and ends the run, untouched by other processes. */
export const endsAlone = async (folder: string, owner: { readonly name: number }) => {
  const facts = seenIn(folder)
  assert.deepStrictEqual(
    facts.filter(atGate).map(({ process: by }) => by),
    [owner.name],
  )
  const { record } = await recordIn(folder)
  assert.strictEqual(record?.status, "succeeded")
  assert.strictEqual(record?.epoch, 1)
}
