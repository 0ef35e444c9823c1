/** What every store promises about the runs it keeps; `journalSuite` and `ownerSuite` have the rest. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { OpenedRun, RunEvent, RunStart, RunStore, Wait } from "@planloom/plugin/effect"
import { expectId, expectSummary, failureOf } from "./expectations.ts"
import type { StorePlace } from "./ownerSuite.ts"
import { sessionTests } from "./sessionTests.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

/** Registers the tests of one store; each `open` of a place gives a store over the same runs. */
export const storeSuite = (
  { describe, it }: SuiteRunner,
  name: string,
  place: StorePlace,
): void => {
  const run = Effect.runPromise
  const started = (store: RunStore, id: string, more: Partial<RunStart> = {}): Promise<OpenedRun> =>
    run(store.open({ run: id, workflow: "test", inputs: { n: 1 }, ...more }))
  const ended = async (store: RunStore, id: string, at: number, more: Partial<RunStart> = {}) => {
    const { close, journal } = await started(store, id, more)
    journal.event({ type: "RunFinished", outputs: { n: 1 }, seq: 0, at })
    assert.equal(await run(close), "closed")
  }
  const idsOf = (records: ReadonlyArray<{ readonly run: string }>) =>
    records.map((one) => one.run).toSorted()

  describe(`store ${name}`, () => {
    it("says what it is", async () => {
      const { id, summary } = await place().open()
      expectId(id)
      expectSummary(summary, `store ${name}`)
    })

    it("lists and shows runs by what is known of them", async () => {
      const store = await place().open()
      await ended(store, "done", 5)
      await started(store, "open", { workflow: "other", session: "s", userDigest: "ann" })
      assert.deepEqual(idsOf(await run(store.list())), ["done", "open"])
      assert.deepEqual(idsOf(await run(store.list({ status: "succeeded" }))), ["done"])
      assert.deepEqual(idsOf(await run(store.list({ workflow: "other" }))), ["open"])
      assert.deepEqual(idsOf(await run(store.list({ session: "s" }))), ["open"])
      assert.deepEqual(idsOf(await run(store.list({ userDigest: "ann" }))), ["open"])
      assert.deepEqual(idsOf(await run(store.list({ userDigest: "bob" }))), [])
      assert.equal((await run(store.show("open")))?.userDigest, "ann")
      assert.equal((await run(store.list({ limit: 1 }))).length, 1)
      const shown = await run(store.show("done"))
      assert.deepEqual(
        [shown?.status, shown?.inputs, shown?.finishedAt, shown?.epoch, shown?.active],
        ["succeeded", { n: 1 }, 5, 1, false],
      )
      assert.equal(await run(store.show("none")), undefined)
    })

    it("creates a run at epoch 0 with the given start, and opens no recorded one at it", async () => {
      const store = await place().open()
      const { close, epoch } = await started(store, "r", { epoch: 0, startedAt: 7 })
      assert.equal(epoch, 1)
      assert.equal((await run(store.show("r")))?.startedAt, 7)
      const again = () => store.open({ run: "r", workflow: "test", inputs: {}, epoch: 0 })
      assert.equal((await failureOf(again(), "opening it again")).reason, "fenced")
      await run(close)
      assert.equal((await failureOf(again(), "opening it again")).reason, "fenced")
    })

    it("fails with missing for a run that it does not have", async () => {
      const store = await place().open()
      for (const work of [store.events("none"), store.steps("none"), store.read("none")]) {
        assert.equal(
          (await failureOf<unknown, { readonly reason: string }>(work, "it")).reason,
          "missing",
        )
      }
    })

    it("keeps events, steps and the definition for another process", async () => {
      const { open } = place()
      const { close, journal } = await started(await open(), "r", { definition: { stages: [1] } })
      await run(journal.step("a", Effect.succeed({ rows: [1, null] })))
      for (const event of events) journal.event(event)
      await run(close)
      const other = await open()
      assert.deepEqual(await run(other.events("r")), events)
      assert.deepEqual(await run(other.events("r", 2)), events.slice(2))
      assert.deepEqual(await run(other.definition("r")), { stages: [1] })
      assert.deepEqual(
        (await run(other.steps("r"))).map((step) => [step.name, step.outcome]),
        [["a", { ok: true, value: { rows: [1, null] } }]],
      )
      const again = await started(other, "r")
      assert.deepEqual([again.epoch, again.events], [2, events])
    })

    it("gives listeners the events that it has recorded, as it reads them, if it has listeners", async () => {
      const store = await place().open()
      if (store.onRecorded === undefined) return
      const scrub: RunStart["scrub"] = (value) =>
        JSON.parse(JSON.stringify(value).replaceAll("part", "[secret]"))
      const { close, journal } = await started(store, "r", { scrub })
      const received: Array<RunEvent> = []
      const stop = store.onRecorded("r", (given) => received.push(...given))
      store.onRecorded("other", () => assert.fail("it is an event of another run"))
      for (const event of events.slice(0, 2)) journal.event(event)
      await run(journal.step("a", Effect.succeed(1)))
      assert.deepEqual(received, await run(store.events("r")))
      assert.equal(received.length, 2)
      stop()
      for (const event of events.slice(2)) journal.event(event)
      await run(close)
      assert.equal((await run(store.events("r"))).length, 4)
      assert.equal(received.length, 2)
    })

    it("removes secrets from everything that it writes", async () => {
      const store = await place().open()
      const scrub: RunStart["scrub"] = (value) =>
        JSON.parse(JSON.stringify(value).replaceAll("s3cret", "[secret]"))
      const { close, journal } = await started(store, "r", { scrub, inputs: { key: "s3cret" } })
      assert.equal(await run(journal.step("a", Effect.succeed("s3cret"))), "s3cret")
      journal.event({ type: "RunCancelled", reason: "s3cret", seq: 0, at: 1 })
      await run(close)
      assert.ok(!JSON.stringify(await run(store.read("r"))).includes("s3cret"))
    })

    it("keeps the digests of personal inputs apart from the record, until they are erased for a user", async () => {
      const { open } = place()
      const store = await open()
      const digests = { email: "salt.key", card: "salt.other" }
      const ann = { userDigest: "ann", personalDigests: digests }
      await ended(store, "done", 1, ann)
      await started(store, "open", ann)
      await ended(store, "bob", 1, { ...ann, userDigest: "bob" })
      await ended(store, "none", 1, { userDigest: "ann" })
      // Resuming a run does not change them.
      await started(store, "bob", { personalDigests: { email: "other" } })
      const other = await open()
      assert.ok(!JSON.stringify(await run(other.show("done"))).includes("salt."))
      assert.ok(!JSON.stringify(await run(other.list())).includes("salt."))
      assert.deepEqual(await run(other.personalDigests("bob")), digests)
      assert.deepEqual((await run(other.read("bob"))).personalDigests, digests)
      assert.equal(await run(other.personalDigests("none")), undefined)
      assert.deepEqual((await run(other.erasePersonal("ann"))).toSorted(), ["done", "open"])
      assert.deepEqual(await run(other.erasePersonal("ann")), [])
      const erased = { email: null, card: null }
      assert.deepEqual(await run(store.personalDigests("done")), erased)
      assert.deepEqual((await run(store.read("open"))).personalDigests, erased)
      assert.deepEqual(await run(store.personalDigests("bob")), digests)
      const missing = await failureOf(store.personalDigests("nowhere"), "reading them")
      assert.equal(missing.reason, "missing")
    })

    it("keeps a suspended run until its question is answered, once", async () => {
      const { open } = place()
      const store = await open()
      const { close, journal } = await started(store, "r", { userDigest: "ann" })
      await run(journal.wait(question))
      journal.event({ type: "RunSuspended", waits: [question], seq: 0, at: 1 })
      assert.equal(await run(close), "closed")
      const other = await open()
      assert.equal((await run(other.show("r")))?.status, "suspended")
      assert.deepEqual(await run(other.due()), [])
      assert.deepEqual(
        (await run(other.waits())).map((one) => [one.run, one.wait.name]),
        [["r", question.name]],
      )
      assert.equal((await run(other.waits({ userDigest: "ann" }))).length, 1)
      assert.deepEqual(await run(other.waits({ userDigest: "bob" })), [])
      const answer = { value: true, by: "ann", at: 2 }
      assert.equal((await run(other.answer("r", question.name, answer))).run, "r")
      assert.deepEqual(idsOf(await run(other.due())), ["r"])
      assert.deepEqual(await run(other.waits()), [])
      for (const [asked, reason] of [
        [question.name, "answered"],
        ["none", "unknown"],
      ] as const) {
        const refused = await failureOf(other.answer("r", asked, answer), "answering")
        assert.equal(refused.reason, reason)
      }
    })

    it("reports an answer that came before the run was suspended", async () => {
      const store = await place().open()
      const { close, journal } = await started(store, "r")
      await run(journal.wait(question))
      await run(store.answer("r", question.name, { value: true, by: "ann", at: 1 }))
      journal.event({ type: "RunSuspended", waits: [question], seq: 0, at: 2 })
      assert.equal(await run(close), "answered")
    })

    it("prunes ended runs by age and number, and no other", async () => {
      const store = await place().open()
      for (const [id, at] of [
        ["old", 1],
        ["young", 9],
        ["last", 9],
      ] as const) {
        await ended(store, id, at)
      }
      await started(store, "open")
      assert.deepEqual(await run(store.prune({ before: 5 })), ["old"])
      assert.equal((await run(store.prune({ keep: 1 }))).length, 2)
      assert.deepEqual(idsOf(await run(store.list())), ["open"])
    })

    it("drops what a reset names, and takes the run from its owner", async () => {
      const store = await place().open()
      const { close, journal } = await started(store, "r")
      await run(journal.step("a", Effect.succeed(1)))
      await run(journal.step("b", Effect.succeed(2)))
      journal.event({ type: "RunFinished", outputs: {}, seq: 0, at: 1 })
      await run(close)
      const event = { type: "RunReset", from: "b", again: ["b"], since: 0 } as const
      await run(store.reset("r", { drops: (step) => step === "b", event }))
      const shown = await run(store.show("r"))
      assert.deepEqual([shown?.status, shown?.epoch, shown?.finishedAt], ["running", 2, undefined])
      assert.deepEqual(
        (await run(store.steps("r"))).map((step) => step.name),
        ["a"],
      )
      assert.deepEqual(
        (await run(store.events("r"))).map(({ seq, type }) => [seq, type]),
        [
          [0, "RunFinished"],
          [1, "RunReset"],
        ],
      )
    })

    it("imports what another store has exported, once", async () => {
      const [from, to] = [await place().open(), await place().open()]
      const start = { definition: { a: 1 }, personalDigests: { email: "salt.key", card: null } }
      const { close, journal } = await started(from, "r", start)
      await run(journal.step("a", Effect.succeed(1)))
      await run(journal.sleep("nap", 1))
      journal.event({ type: "RunFinished", outputs: {}, seq: 0, at: 1 })
      await run(close)
      const recorded = await run(from.read("r"))
      await run(to.write(recorded))
      assert.deepEqual(await run(to.read("r")), recorded)
      assert.equal((await failureOf(to.write(recorded), "writing it again")).reason, "exists")
    })

    it("passes a cancel request to the process that works on the run", async () => {
      const { open } = place()
      const request = { mode: "after", reason: "too slow" } as const
      const [owner, other] = [await open(), await open()]
      const { close, onCancel } = await started(owner, "r")
      const got = new Promise((resolve) => onCancel(resolve))
      assert.equal(await run(other.cancel("r", request)), true)
      assert.deepEqual(await got, request)
      await run(close)
      assert.equal(await run(other.cancel("r", request)), false)
    })

    sessionTests(it, place)

    it("counts runs that have not ended, by what they wait for", async () => {
      const store = await place().open()
      const left = async (id: string, ...waits: ReadonlyArray<Wait>) => {
        const { close, journal } = await started(store, id)
        for (const wait of waits) await run(journal.wait(wait))
        if (waits.length > 0) journal.event({ type: "RunSuspended", waits, seq: 0, at: 1 })
        assert.equal(await run(close), "closed")
      }
      assert.deepEqual(await run(store.unfinished), none)
      await ended(store, "done", 1)
      await left("released")
      await left("suspended", question)
      await left("asks", { ...question, kind: "clarification" })
      for (const id of ["one", "two"]) await started(store, id)
      const counts = { queued: 1, active: 2, suspended: 1, clarification: 1 }
      assert.deepEqual({ ...(await run(store.unfinished)) }, counts)
    })

    it("changes its revision when another process writes", async () => {
      const { open } = place()
      const [one, other] = [await open(), await open()]
      const before = await run(one.revision)
      await ended(other, "r", 1)
      assert.notEqual(await run(one.revision), before)
    })
  })
}

const none = { queued: 0, active: 0, suspended: 0, clarification: 0 }

const question: Wait = {
  name: "sign_off",
  kind: "approval",
  path: "sign_off",
  message: "Continue?",
  schema: { type: "boolean" },
}

const events: ReadonlyArray<RunEvent> = Array.from({ length: 4 }, (_, seq) => ({
  type: "Progressed",
  path: "a",
  stage: "a",
  message: `part ${seq}`,
  seq,
  at: seq,
}))
