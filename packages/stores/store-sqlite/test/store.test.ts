/** Lists, events, takeovers, blobs, scrubbing and pruning of the store. */
import { chmodSync, mkdtempSync, readFileSync, readdirSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { Json, RunEvent } from "@planloom/plugin/effect"
import { newFile, start, storeAt } from "./store.ts"

const told = (seq: number, more: Partial<RunEvent> = {}): RunEvent =>
  ({
    type: "Progressed",
    path: "a",
    stage: "a",
    message: `m${seq}`,
    seq,
    at: seq,
    ...more,
  }) as RunEvent

const finished = (seq: number): RunEvent => told(seq, { type: "RunFinished", outputs: {} })

/** Blocks this process for some milliseconds, as if it were frozen. */
const spent = (ms: number): void => {
  const since = performance.now()
  while (performance.now() - since < ms);
}

describe("the SQLite store", () => {
  it.effect("lists runs newest first with their state, filtered", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const a = yield* store.open(start("a"))
      yield* store.open(start("b", { workflow: "other" }))
      a.journal.event(finished(0))
      yield* a.close
      const all = yield* store.list()
      assert.deepStrictEqual(
        all.map(({ active, run, status }) => ({ active, run, status })),
        [
          { active: true, run: "b", status: "running" },
          { active: false, run: "a", status: "succeeded" },
        ],
      )
      const ids = (filter: Parameters<typeof store.list>[0]) =>
        Effect.map(store.list(filter), (found) => found.map(({ run }) => run))
      assert.deepStrictEqual(yield* ids({ status: "succeeded" }), ["a"])
      assert.deepStrictEqual(yield* ids({ workflow: "other" }), ["b"])
      assert.deepStrictEqual(yield* ids({ limit: 1 }), ["b"])
      assert.strictEqual(yield* store.show("none"), undefined)
    }),
  )

  it.effect("returns events in order from any sequence number, whatever batches wrote them", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const { close, journal } = yield* store.open(start("r"))
      for (let seq = 0; seq < 10; seq++) {
        journal.event(told(seq))
        if (seq % 3 === 2) yield* journal.step(`s${seq}`, Effect.succeed(seq))
      }
      yield* close
      for (const from of [0, 4, 9, 10]) {
        const given = yield* store.events("r", from)
        assert.deepStrictEqual(
          given.map(({ seq }) => seq),
          Array.from({ length: 10 - from }, (_, index) => from + index),
        )
      }
    }),
  )

  it.effect("returns the events of a reopened run and keeps its inputs and definition", () =>
    Effect.gen(function* () {
      const path = newFile()
      const first = yield* storeAt(path).open(start("r", { definition: { text: "one" } }))
      first.journal.event(told(0))
      yield* first.close
      const store = storeAt(path)
      const again = yield* store.open(start("r", { inputs: { n: 2 }, definition: { text: "two" } }))
      assert.strictEqual(again.epoch, 2)
      assert.deepStrictEqual(again.events, [told(0)])
      assert.deepStrictEqual((yield* store.show("r"))?.inputs, { n: 1 })
      assert.deepStrictEqual(yield* store.definition("r"), { text: "one" })
    }),
  )

  it.effect("stops effects and records of a process whose run was taken over", () =>
    Effect.gen(function* () {
      const path = newFile()
      const old = yield* storeAt(path).open(start("r"))
      const store = storeAt(path)
      const heir = yield* store.open(start("r"))
      spent(5)
      old.journal.event(told(0))
      let ran = 0
      const step = (name: string) =>
        Effect.exit(
          old.journal.step(
            name,
            Effect.sync(() => ++ran),
          ),
        )
      const exit = yield* step("a")
      assert.isTrue(Exit.isFailure(exit) && String(exit.cause).includes("taken the run over"))
      assert.isTrue(Exit.isFailure(yield* step("b")))
      assert.strictEqual(ran, 0)
      assert.deepStrictEqual(yield* heir.journal.step("a", Effect.succeed("mine")), "mine")
      assert.deepStrictEqual(yield* store.events("r"), [])
      assert.deepStrictEqual(
        (yield* store.steps("r")).map(({ outcome }) => outcome),
        [{ ok: true, value: "mine" }],
      )
    }),
  )

  it.effect("creates no run for a claim whose run is gone", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const failure = yield* Effect.flip(store.open({ ...start("a"), epoch: 1 }))
      assert.strictEqual(failure.reason, "fenced")
      assert.deepStrictEqual(yield* store.list(), [])
    }),
  )

  it.effect(
    "answers a run that is claimed from the steps recorded before, and records new ones",
    () =>
      Effect.gen(function* () {
        const store = storeAt(newFile())
        const { close, epoch, journal } = yield* store.open(start("a"))
        yield* journal.step("one", Effect.succeed(1))
        yield* close
        const again = yield* store.open({ ...start("a"), epoch })
        assert.strictEqual(yield* again.journal.step("one", Effect.succeed(2)), 1)
        assert.strictEqual(yield* again.journal.step("two", Effect.succeed(3)), 3)
      }),
  )

  it.effect("replays in a delayed process what another has recorded meanwhile", () =>
    Effect.gen(function* () {
      const path = newFile()
      const old = yield* storeAt(path).open(start("r"))
      yield* old.journal.step("a", Effect.succeed("mine"))
      const heir = yield* storeAt(path).open(start("r"))
      yield* heir.journal.step("b", Effect.succeed("theirs"))
      spent(5)
      assert.strictEqual(yield* old.journal.step("b", Effect.die("done twice")), "theirs")
    }),
  )

  it.effect("stores a large value once and returns it whole", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const large = "ä".repeat(3 * 1024 * 1024)
      const { close, journal } = yield* store.open(start("r"))
      for (const name of ["a", "b", "c"]) yield* journal.step(name, Effect.succeed(large))
      yield* close
      const again = yield* store.open(start("r"))
      assert.strictEqual(yield* again.journal.step("b", Effect.die("again")), large)
      yield* again.close
      const bytes = readFileSync(path).length + readFileSync(`${path}-wal`).length
      assert.isBelow(bytes, 20 * 1024 * 1024)
    }),
  )

  it.effect(
    "scrubs steps, events and inputs before they are written, and leaves the run its values",
    () =>
      Effect.gen(function* () {
        const path = newFile()
        const scrub = (value: Json): Json =>
          JSON.parse(JSON.stringify(value).replaceAll("hunter2", "[secret]")) as Json
        const store = storeAt(path)
        const { close, journal } = yield* store.open(
          start("r", { inputs: { k: "hunter2" }, definition: { text: "hunter2" }, scrub }),
        )
        assert.strictEqual(yield* journal.step("a", Effect.succeed("hunter2")), "hunter2")
        journal.event(told(0, { message: "hunter2" }))
        yield* close
        for (const file of [path, `${path}-wal`]) {
          assert.isFalse(readFileSync(file).includes("hunter2"), file)
        }
        assert.deepStrictEqual((yield* store.show("r"))?.inputs, { k: "[secret]" })
      }),
  )

  it.effect("keeps a run as long as any fork of it", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const { close, journal } = yield* store.open(start("first"))
      journal.event({ ...finished(0), at: 0 } as RunEvent)
      yield* close
      const recorded = yield* store.read("first")
      for (const [run, of] of [
        ["second", "first"],
        ["third", "second"],
      ] as const) {
        const forked: RunEvent = { type: "RunForked", of, from: "s", seq: 0, at: 0 }
        yield* store.write({ ...recorded, run, events: [forked] })
      }
      assert.deepStrictEqual(yield* store.prune({ keep: 1 }), [])
      assert.deepStrictEqual(yield* store.prune({ before: 1000 }), ["first", "second", "third"])
    }),
  )

  it.effect("prunes old and surplus ended runs with their unshared blobs", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const blob = "x".repeat(2 * 1024 * 1024)
      for (const [index, run] of ["a", "b", "c", "d"].entries()) {
        const { close, journal } = yield* store.open(start(run, { definition: { same: true } }))
        yield* journal.step("s", Effect.succeed(run === "a" ? `${blob}a` : `${blob}shared`))
        if (run !== "b") journal.event({ ...finished(0), at: index * 1000 } as RunEvent)
        yield* close
      }
      assert.deepStrictEqual(yield* store.prune({ before: 1000 }), ["a"])
      assert.deepStrictEqual(yield* store.prune({ keep: 1 }), ["c"])
      assert.deepStrictEqual(
        (yield* store.list()).map(({ run }) => run),
        ["d", "b"],
      )
      assert.strictEqual((yield* store.steps("b")).length, 1)
      assert.deepStrictEqual(yield* store.definition("d"), { same: true })
      const gone = yield* Effect.flip(store.events("a"))
      assert.strictEqual(gone.reason, "missing")
    }),
  )
})

describe.skipIf(process.platform === "win32")("the files of the SQLite store", () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

  it.effect("are created for their owner alone, the folder too", () =>
    Effect.gen(function* () {
      const folder = join(mkdtempSync(join(tmpdir(), "planloom-modes-")), "new")
      const file = join(folder, "runs.db")
      const opened = yield* storeAt(file).open(start("a"))
      opened.journal.event(finished(0))
      const modes = readdirSync(folder).map((name) => `${name} ${modeOf(join(folder, name))}`)
      assert.strictEqual(modeOf(folder), "700")
      assert.include(modes, "runs.db 600")
      assert.include(modes, "runs.db-wal 600")
      assert.isTrue(modes.every((mode) => mode.endsWith("600") || mode.endsWith("700")))
    }),
  )

  it.effect("keep the mode that their owner gave them", () =>
    Effect.gen(function* () {
      const file = newFile()
      yield* storeAt(file).open(start("a"))
      chmodSync(file, 0o640)
      yield* storeAt(file).open(start("b"))
      assert.strictEqual(modeOf(file), "640")
    }),
  )
})
