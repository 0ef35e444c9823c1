/** Processes on one database: a live owner keeps its run, and a process that lost a run records nothing more. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { whenRecorded } from "../../../../bench/chaos/kills.ts"
import { startVictim } from "../../../../bench/chaos/startVictim.ts"
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
  seenIn,
} from "./ownership.ts"
import { newFolder, start, storeAt } from "./store.ts"

const storm = join(import.meta.dirname, "../../../../bench/chaos/storm.ts")

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
