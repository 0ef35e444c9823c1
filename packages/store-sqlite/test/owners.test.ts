/** Processes on one database: a live owner keeps its run, and a process that lost a run records nothing more. */
import { watch, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { whenRecorded } from "../../../bench/chaos/kills.ts"
import { namespacesRefused, startVictim } from "../../../bench/chaos/startVictim.ts"
import { sightings, type Sighting } from "../../../bench/chaos/Witness.ts"
import { newFile, newFolder, start, storeAt } from "./store.ts"

const storm = join(import.meta.dirname, "../../../bench/chaos/storm.ts")
const gated = join(import.meta.dirname, "gated.ts")

const HEARTBEAT_MS = 100

/** Five missed heartbeats mean a dead owner; this is three times as many. */
const LONG_SILENCE = 15

const seenIn = (folder: string) => sightings(join(folder, "witness"))

/** Resolves once the witness file in a folder exists. */
const seen = (folder: string, is: (sighting: Sighting) => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (!seenIn(folder).some(is)) return
      watcher.close()
      resolve()
    }
    const watcher = watch(folder, look)
    look()
  })

const atGate = ({ fact, what }: Sighting) => fact === "started" && what === "gate"
const isWatching = ({ fact }: Sighting) => fact === "watching"

/** Waits for `count` heartbeats of a store of this process; on a slow machine they are slow as well. */
const heartbeats = async (count: number): Promise<void> => {
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

const recordIn = async (folder: string, run = "gated") => {
  const store = storeAt(join(folder, "runs.db"), { heartbeat: HEARTBEAT_MS })
  return {
    record: await Effect.runPromise(store.show(run)),
    steps: await Effect.runPromise(store.steps(run)),
    events: await Effect.runPromise(store.events(run)),
  }
}

/** The process that started the gate opens it and ends the run, untouched by other processes. */
const endsAlone = async (folder: string, owner: { readonly name: number }) => {
  const facts = seenIn(folder)
  assert.deepStrictEqual(
    facts.filter(atGate).map(({ process: by }) => by),
    [owner.name],
  )
  const { record } = await recordIn(folder)
  assert.strictEqual(record?.status, "succeeded")
  assert.strictEqual(record?.epoch, 1)
}

describe("processes on one SQLite store", { timeout: 120_000 }, () => {
  it("share the runs of a killed third: each run has one owner, and all of them end", async () => {
    const folder = newFolder()
    await orphaned(folder)
    const before = seenIn(folder).length
    const both = await Promise.all([startVictim(storm, folder), startVictim(storm, folder)])
    const ends = await Promise.all(both.map(({ over }) => over))
    assert.deepStrictEqual(
      ends.map(({ code }) => code),
      [0, 0],
      ends.map(({ said }) => said).join("\n"),
    )
    const executed = new Map<string, Set<number>>()
    const times = new Map<string, number>()
    for (const { fact, process: by, run, what } of seenIn(folder).slice(before)) {
      if (fact !== "started") continue
      executed.set(run, (executed.get(run) ?? new Set()).add(by))
      times.set(`${run} ${what}`, (times.get(`${run} ${what}`) ?? 0) + 1)
    }
    assert.deepStrictEqual(
      [...executed].filter(([, processes]) => processes.size > 1).map(([run]) => run),
      [],
    )
    assert.deepStrictEqual(
      [...times].filter(([, count]) => count > 1),
      [],
    )
    const store = storeAt(join(folder, "runs.db"))
    const records = await Effect.runPromise(store.list())
    assert.strictEqual(records.length, 40)
    assert.deepStrictEqual(
      records.filter(({ status }) => status !== "succeeded"),
      [],
    )
  })

  it("a killed owner counts as dead at once, whatever its heartbeat interval", async () => {
    const folder = newFolder()
    const hourly = { heartbeatMs: 3_600_000 }
    const owner = await startVictim(gated, folder, hourly)
    await seen(folder, atGate)
    owner.kill()
    await owner.over
    writeFileSync(join(folder, "gate"), "")
    const next = await startVictim(gated, folder, hourly)
    const { code, said } = await next.over
    assert.strictEqual(code, 0, said)
    const { record } = await recordIn(folder)
    assert.strictEqual(record?.status, "succeeded")
    assert.strictEqual(record?.epoch, 2)
  })

  it("frozen and continued together: the owner keeps its run, and the worker starts nothing", async () => {
    const folder = newFolder()
    const heartbeatMs = HEARTBEAT_MS
    const owner = await startVictim(gated, folder, { heartbeatMs })
    await seen(folder, atGate)
    const worker = await startVictim(gated, folder, { heartbeatMs, worker: true })
    await seen(folder, isWatching)
    await Promise.all([owner.freeze(), worker.freeze()])
    await heartbeats(LONG_SILENCE)
    worker.resume()
    owner.resume()
    await heartbeats(LONG_SILENCE)
    writeFileSync(join(folder, "gate"), "")
    assert.strictEqual((await owner.over).code, 0)
    assert.strictEqual((await worker.over).code, 0)
    await endsAlone(folder, owner)
  })

  it.runIf(process.platform === "linux")(
    "a stopped owner keeps its run until a forced takeover; continued, it changes nothing",
    async () => {
      const folder = newFolder()
      const heartbeatMs = HEARTBEAT_MS
      const owner = await startVictim(gated, folder, { heartbeatMs })
      await seen(folder, atGate)
      const worker = await startVictim(gated, folder, { heartbeatMs, worker: true })
      await seen(folder, isWatching)
      await owner.freeze()
      await heartbeats(LONG_SILENCE)
      assert.strictEqual((await recordIn(folder)).record?.epoch, 1)
      const forced = await Effect.runPromise(
        storeAt(join(folder, "runs.db")).open(start("gated", { workflow: "gated" })),
      )
      await Effect.runPromise(forced.close)
      writeFileSync(join(folder, "gate"), "")
      const { code, said } = await worker.over
      assert.strictEqual(code, 0, said)
      const before = await recordIn(folder)
      assert.strictEqual(before.record?.status, "succeeded")
      assert.strictEqual(before.record?.epoch, 3)
      owner.resume()
      await owner.over
      assert.deepStrictEqual(await recordIn(folder), before)
      const facts = seenIn(folder)
      const late = facts.slice(facts.findLastIndex(({ process: by }) => by === worker.name))
      assert.deepStrictEqual(
        late
          .filter(({ process: by }) => by === owner.name)
          .map(({ fact, what }) => [fact, fact === "refused" ? "" : what]),
        [
          ["ended", "gate"],
          ["refused", ""],
        ],
      )
      assert.match(
        facts.find(({ fact }) => fact === "refused")?.what ?? "",
        /taken the run over in .*runs\.db/,
      )
    },
  )

  it("a worker whose clock is 20 s ahead leaves a living owner its run", async () => {
    const folder = newFolder()
    const heartbeatMs = HEARTBEAT_MS
    const owner = await startVictim(gated, folder, { heartbeatMs })
    await seen(folder, atGate)
    const worker = await startVictim(gated, folder, {
      heartbeatMs,
      worker: true,
      clockAheadMs: 20_000,
    })
    await seen(folder, isWatching)
    await heartbeats(LONG_SILENCE)
    writeFileSync(join(folder, "gate"), "")
    assert.strictEqual((await owner.over).code, 0)
    assert.strictEqual((await worker.over).code, 0)
    await endsAlone(folder, owner)
  })
})

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

/** Forty half-finished runs without an owner. */
const orphaned = async (folder: string) => {
  const { kill, over } = await startVictim(storm, folder)
  await whenRecorded(200).when({
    over: over.then(() => undefined),
    witness: join(folder, "witness"),
  })
  kill()
  await over
}
