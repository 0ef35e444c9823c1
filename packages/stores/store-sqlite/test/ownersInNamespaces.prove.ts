/** Processes that see only their own, on one database: a live owner keeps its run, and a killed one's is taken over. */
import { writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { namespacesRefused, startVictim } from "../../../../bench/chaos/startVictim.ts"
import {
  atGate,
  endsAlone,
  gated,
  HEARTBEAT_MS,
  heartbeats,
  isWatching,
  LONG_SILENCE,
  recordIn,
  seen,
} from "./ownership.ts"
import { newFolder } from "./store.ts"

const refused = namespacesRefused()
const why = refused === undefined ? "" : ` (not possible here: ${refused})`

/** The worker sees only its own processes, as in another container with the same host name. */
const options = { timeout: 120_000, skip: refused !== undefined }

describe(
  `processes on one SQLite store in two PID namespaces with one host name${why}`,
  options,
  () => {
    const meeting = async (folder: string, heartbeatMs = HEARTBEAT_MS) => {
      const owner = await startVictim(gated, folder, { heartbeatMs })
      await seen(folder, atGate)
      const worker = await startVictim(gated, folder, {
        heartbeatMs,
        worker: true,
        ownNamespace: true,
      })
      await seen(folder, isWatching)
      return { owner, worker }
    }

    it("leave each other's runs alone, even after both were frozen", async () => {
      const folder = newFolder()
      const { owner, worker } = await meeting(folder, 3 * HEARTBEAT_MS)
      await heartbeats(LONG_SILENCE)
      await Promise.all([owner.freeze(), worker.freeze()])
      await heartbeats(2 * LONG_SILENCE)
      // The worker checks before the owner can send a heartbeat.
      worker.resume()
      await heartbeats(3)
      owner.resume()
      await heartbeats(2 * LONG_SILENCE)
      writeFileSync(join(folder, "gate"), "")
      assert.strictEqual((await owner.over).code, 0)
      assert.strictEqual((await worker.over).code, 0)
      await endsAlone(folder, owner)
    })

    it("a killed owner's run is taken over after enough watched silence", async () => {
      const folder = newFolder()
      const { owner, worker } = await meeting(folder)
      owner.kill()
      await owner.over
      await seen(folder, (one) => atGate(one) && one.process === worker.name)
      writeFileSync(join(folder, "gate"), "")
      const { code, said } = await worker.over
      assert.strictEqual(code, 0, said)
      const { record } = await recordIn(folder)
      assert.strictEqual(record?.status, "succeeded")
      assert.strictEqual(record?.epoch, 2)
    })

    it("one pass over due runs watches a killed owner first and resumes its run", async () => {
      const folder = newFolder()
      const owner = await startVictim(gated, folder, { heartbeatMs: HEARTBEAT_MS })
      await seen(folder, atGate)
      owner.kill()
      await owner.over
      writeFileSync(join(folder, "gate"), "")
      const next = await startVictim(gated, folder, {
        heartbeatMs: HEARTBEAT_MS,
        ownNamespace: true,
      })
      const { code, said } = await next.over
      assert.strictEqual(code, 0, said)
      const { record } = await recordIn(folder)
      assert.strictEqual(record?.status, "succeeded")
      assert.strictEqual(record?.epoch, 2)
    })
  },
)
