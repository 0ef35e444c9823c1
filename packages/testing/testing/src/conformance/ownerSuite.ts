/** What every store promises about the process that has a run open. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { RunStore, StoreFailed } from "@planloom/plugin/effect"
import { failureOf } from "./expectations.ts"
import type { SuiteRunner } from "./SuiteRunner.ts"

/** A fresh place to record in; each `open` gives a store over it, as another process would have. */
export type StorePlace = () => { readonly open: () => RunStore | Promise<RunStore> }

export interface OwnerSuiteOptions {
  /** Milliseconds of silence after which the stores take an owner for dead; keep it short, a test lasts twice as long. */
  readonly silenceMs: number
}

/** Longer than an owner may trust its last write without looking. */
const TRUST_MS = 20

const start = { run: "r", workflow: "test", inputs: {} }

const reasonOf = async (work: Effect.Effect<unknown, StoreFailed>, what: string) =>
  (await failureOf(work, what)).reason

/** Registers the tests of one store. */
export const ownerSuite = (
  { describe, it }: SuiteRunner,
  name: string,
  place: StorePlace,
  { silenceMs }: OwnerSuiteOptions,
): void => {
  describe(`owners of runs in ${name}`, () => {
    it("a run stays with its owner for as long as the owner lives", async () => {
      const { open } = place()
      const [owner, other] = [await open(), await open()]
      const opened = await Effect.runPromise(owner.open(start))
      const began = performance.now()
      while (performance.now() - began < 2 * silenceMs) {
        assert.equal((await Effect.runPromise(other.show("r")))?.active, true)
        assert.deepEqual(await Effect.runPromise(other.due()), [])
        await Effect.runPromise(Effect.sleep(silenceMs / 20))
      }
      assert.equal(await Effect.runPromise(other.watchOwner("r")), true)
      const { epoch } = opened
      assert.equal(await reasonOf(other.open({ ...start, epoch }), "opening it"), "busy")
      const event = { type: "RunReset", from: "", again: [], since: 0 } as const
      const reset = other.reset("r", { drops: () => true, event })
      assert.equal(await reasonOf(reset, "resetting it"), "busy")
      assert.equal(await Effect.runPromise(opened.journal.step("a", Effect.succeed(1))), 1)
    })

    it("a run that its owner has closed is due at once", async () => {
      const { open } = place()
      const [owner, other] = [await open(), await open()]
      const { close, epoch } = await Effect.runPromise(owner.open(start))
      assert.equal((await Effect.runPromise(other.show("r")))?.active, true)
      await Effect.runPromise(close)
      assert.equal(await Effect.runPromise(other.watchOwner("r")), false)
      assert.deepEqual(
        (await Effect.runPromise(other.due())).map(({ active, run }) => [run, active]),
        [["r", false]],
      )
      assert.equal((await Effect.runPromise(other.open({ ...start, epoch }))).epoch, epoch + 1)
    })

    it("a run opened without an epoch is taken from its owner, which starts no further effect", async () => {
      const { open } = place()
      const [owner, other] = [await open(), await open()]
      const { epoch, journal } = await Effect.runPromise(owner.open(start))
      await Effect.runPromise(journal.step("a", Effect.succeed(1)))
      const taken = await Effect.runPromise(other.open(start))
      assert.equal(taken.epoch, epoch + 1)
      await Effect.runPromise(taken.journal.step("b", Effect.succeed(2)))
      await Effect.runPromise(Effect.sleep(TRUST_MS))
      let effects = 0
      const effect = Effect.sync(() => ++effects)
      assert.equal((await Effect.runPromiseExit(journal.step("c", effect)))._tag, "Failure")
      assert.equal(effects, 0)
      assert.deepEqual(
        (await Effect.runPromise(other.steps("r"))).map((step) => step.name),
        ["a", "b"],
      )
      const late = owner.open({ ...start, epoch })
      assert.equal(await reasonOf(late, "opening a run at an old epoch"), "fenced")
    })

    it("owners from which a run was taken are counted until a step is recorded or the run is released", async () => {
      const { open } = place()
      const [first, ...others] = [await open(), await open(), await open(), await open()]
      const counted = async (store: RunStore) =>
        (await Effect.runPromise(store.show("r")))?.attemptsWithoutProgress ?? 0
      await Effect.runPromise(first.open(start))
      assert.equal(await counted(first), 0)
      let count = 0
      for (const other of others) {
        const { close, journal } = await Effect.runPromise(other.open(start))
        assert.equal(await counted(first), ++count)
        if (other !== others.at(-1)) continue
        await Effect.runPromise(journal.step("a", Effect.succeed(1)))
        assert.equal(await counted(first), 0)
        await Effect.runPromise(first.open(start))
        assert.equal(await counted(first), 1)
        await Effect.runPromise(Effect.ignore(close))
      }
      const { close } = await Effect.runPromise(first.open(start))
      await Effect.runPromise(close)
      assert.equal(await counted(first), 0)
    })

    it("blame is noted with its run, and the process's other runs are due at once, if the store can blame", async () => {
      const { open } = place()
      const [owner, other] = [await open(), await open()]
      if (owner.blame === undefined) return
      for (const run of ["bad", "good", "fine"]) {
        await Effect.runPromise(owner.open({ ...start, run }))
      }
      await Effect.runPromise(other.open({ ...start, run: "alien" }))
      // Synchronously: its process will do nothing else.
      Effect.runSync(owner.blame("bad", "it spins"))
      const blamed = await Effect.runPromise(other.show("bad"))
      assert.deepEqual([blamed?.suspicion, blamed?.active], ["it spins", true])
      assert.deepEqual(
        (await Effect.runPromise(other.due())).map((record) => [
          record.run,
          record.attemptsWithoutProgress ?? 0,
          record.suspicion,
        ]),
        [
          ["good", 0, undefined],
          ["fine", 0, undefined],
        ],
      )
      assert.equal((await Effect.runPromise(other.show("alien")))?.active, true)
      const { journal } = await Effect.runPromise(other.open({ ...start, run: "bad" }))
      assert.equal((await Effect.runPromise(other.show("bad")))?.suspicion, "it spins")
      await Effect.runPromise(journal.step("a", Effect.succeed(1)))
      assert.equal((await Effect.runPromise(other.show("bad")))?.suspicion, undefined)
    })

    it("watching the owner of a run that is not there fails with missing", async () => {
      const store = await place().open()
      assert.equal(await reasonOf(store.watchOwner("none"), "watching it"), "missing")
    })
  })
}
