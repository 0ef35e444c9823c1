/** What every store promises about its sessions. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { OpenedRun, RunStore } from "@planloom/plugin/effect"
import type { StorePlace } from "./ownerSuite.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

const run = Effect.runPromise

const started = (store: RunStore, id: string): Promise<OpenedRun> =>
  run(store.open({ run: id, workflow: "test", inputs: {}, session: "s" }))

/** A part of `storeSuite`. */
export const sessionTests = (it: SuiteRunner["it"], place: StorePlace): void => {
  it("saves a session for the first of two runs that began with the same turn", async () => {
    const { sessions } = await place().open()
    const change = { workflow: "test", after: undefined, turns: [], state: { n: 1 }, at: 1 }
    const first = await run(sessions.save("s", { ...change, run: "a" }))
    assert.deepEqual(first, { saved: true, version: 1 })
    assert.deepEqual(await run(sessions.save("s", { ...change, run: "a" })), first)
    assert.deepEqual(await run(sessions.save("s", { ...change, run: "b" })), {
      saved: false,
      version: 1,
      run: "a",
    })
    assert.deepEqual((await run(sessions.load("s")))?.state, { n: 1 })
    assert.deepEqual(
      (await run(sessions.list())).map(({ session }) => session),
      ["s"],
    )
    assert.deepEqual(
      [await run(sessions.clear("s")), await run(sessions.clear("s"))],
      [true, false],
    )
    assert.equal(await run(sessions.load("s")), undefined)
  })

  it("shows an announced turn to other processes until it is saved, overtaken or over", async () => {
    const { open } = place()
    const [owner, other] = [await open(), await open()]
    const announced = async () =>
      (await run(other.sessions.announced("s"))).map(({ active, ms, run: of }) => [of, ms, active])
    const announce = (of: string, version: number, epoch = 1) =>
      run(owner.sessions.announce("s", { run: of, epoch, version, ms: 500 }))
    const change = { workflow: "test", turns: [], state: {}, at: 1, epoch: 1 }
    const one = await started(owner, "a")
    assert.deepEqual(await announced(), [])
    await announce("a", 0, 2)
    assert.deepEqual(await announced(), [], "announced by a process that was fenced off")
    await announce("a", 0)
    assert.deepEqual(await announced(), [["a", 500, true]])
    assert.deepEqual(await run(other.sessions.announced("t")), [])
    await run(owner.sessions.save("s", { ...change, after: undefined, run: "a" }))
    assert.deepEqual(await announced(), [], "saved")
    await started(owner, "b")
    const left = await started(owner, "c")
    await announce("b", 1)
    await announce("c", 1)
    await run(left.close)
    assert.deepEqual(await announced(), [
      ["b", 500, true],
      ["c", 500, false],
    ])
    await run(owner.sessions.save("s", { ...change, after: "a", run: "b" }))
    assert.deepEqual(await announced(), [], "overtaken")
    const last = await started(owner, "d")
    await announce("d", 2)
    last.journal.event({ type: "RunCancelled", reason: "enough", seq: 0, at: 1 })
    await run(last.close)
    assert.deepEqual(await announced(), [], "over")
    await run(one.close)
  })

  it("keeps the summary of a session and the notes of its turns", async () => {
    const { sessions } = await place().open()
    const turns = [{ user: "a", assistant: "b", notes: ["sent"] }]
    const change = { workflow: "test", turns, state: {}, at: 1, summary: "Long ago." }
    await run(sessions.save("s", { ...change, after: undefined, run: "a" }))
    const saved = await run(sessions.load("s"))
    assert.deepEqual([saved?.summary, saved?.turns], ["Long ago.", turns])
  })

  it("keeps the entities of a session, or none", async () => {
    const { sessions } = await place().open()
    const change = { workflow: "test", turns: [], state: {}, at: 1 }
    const entities = [{ type: "person", id: "1", name: "Ana", turn: 1 }]
    await run(sessions.save("s", { ...change, after: undefined, run: "a", entities }))
    assert.deepEqual((await run(sessions.load("s")))?.entities, entities)
    await run(sessions.save("s", { ...change, after: "a", run: "b" }))
    assert.equal((await run(sessions.load("s")))?.entities, undefined)
  })

  it("lists the sessions in which runs of a user were saved, also without their records", async () => {
    const { sessions } = await place().open()
    const change = { workflow: "test", turns: [], state: {}, at: 1 }
    const listed = async (userDigest: string) =>
      (await run(sessions.list({ userDigest }))).map(({ session }) => session)
    await run(sessions.save("s", { ...change, after: undefined, run: "a", userDigest: "one" }))
    await run(sessions.save("s", { ...change, after: "a", run: "b", userDigest: "two" }))
    await run(sessions.save("t", { ...change, after: undefined, run: "c", userDigest: "two" }))
    await run(sessions.save("u", { ...change, after: undefined, run: "d" }))
    assert.deepEqual(await listed("one"), ["s"])
    assert.deepEqual((await listed("two")).toSorted(), ["s", "t"])
    assert.deepEqual(await listed("three"), [])
  })
}
