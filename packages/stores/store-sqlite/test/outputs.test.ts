/** An output is stored once: its event refers to the step and still has the output after the step is dropped. */
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Json, RunEvent, RunStore } from "@planloom/plugin/effect"
import { newFile, start, storeAt } from "./store.ts"

const finished = (seq: number, stage: string, output: Json): RunEvent => ({
  type: "StageFinished",
  path: stage,
  stage,
  output,
  attempts: 1,
  seq,
  at: seq,
})

const text = (letter: string, length = 20_000) => ({ text: letter.repeat(length) })

/** Two stages with an output each, and one whose step value differs from its event's output. */
const recorded = Effect.fnUntraced(function* (store: RunStore, run: string, length?: number) {
  const [a, b] = [text("a", length), text("b", length)]
  const { close, journal } = yield* store.open(start(run))
  yield* journal.step("a", Effect.succeed(a))
  journal.event(finished(0, "a", a))
  yield* journal.step("b", Effect.succeed(b))
  journal.event(finished(1, "b", b))
  yield* journal.step("c", Effect.succeed(text("c")))
  journal.event(finished(2, "c", text("d")))
  yield* close
  return [finished(0, "a", a), finished(1, "b", b), finished(2, "c", text("d"))]
})

const bodies = (path: string): ReadonlyArray<string> => {
  const database = new DatabaseSync(path)
  const rows = database.prepare("SELECT body FROM events ORDER BY run, first").all()
  database.close()
  return rows.map(({ body }) => String(body))
}

const reset = {
  type: "RunReset",
  from: "b",
  again: [],
  since: 0,
} as const

describe("an output in the SQLite store", () => {
  it.effect("is not in the row of its event, but in the event that is read", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const events = yield* recorded(store, "r")
      assert.deepStrictEqual(yield* store.events("r"), events)
      const written = bodies(path).join()
      assert.notInclude(written, "aaaa")
      assert.notInclude(written, "bbbb")
      assert.include(written, "dddd")
    }),
  )

  it.effect("of more than a megabyte is stored once", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const events = yield* recorded(store, "r", 2_000_000)
      assert.deepStrictEqual(yield* store.events("r"), events)
      const database = new DatabaseSync(path)
      const { count } = database.prepare("SELECT COUNT(*) AS count FROM blobs").get()!
      database.close()
      assert.strictEqual(count, 2)
    }),
  )

  it.effect("stays in its event when its step is dropped or recorded again", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const events = yield* recorded(store, "r")
      yield* store.reset("r", { drops: (name) => name === "b", event: reset })
      assert.deepStrictEqual((yield* store.events("r")).slice(0, 3), events)
      assert.notInclude(bodies(path).join(), "aaaa")
      const { close, events: reopened, journal } = yield* store.open(start("r"))
      assert.deepStrictEqual(reopened.slice(0, 3), events)
      const other = text("e")
      assert.deepStrictEqual(yield* journal.step("b", Effect.succeed(other)), other)
      journal.event(finished(4, "b", other))
      yield* close
      const all = yield* store.events("r")
      assert.deepStrictEqual(all.slice(0, 3), events)
      assert.deepStrictEqual(all[4], finished(4, "b", other))
    }),
  )

  it.effect("is emitted after a resume without another copy", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const first = yield* store.open(start("r"))
      yield* first.journal.step("a", Effect.succeed(text("a")))
      yield* first.close
      const { close, journal } = yield* store.open(start("r"))
      const a = yield* journal.step("a", Effect.die("again"))
      journal.event(finished(0, "a", a))
      yield* close
      assert.deepStrictEqual(yield* store.events("r"), [finished(0, "a", text("a"))])
      assert.notInclude(bodies(path).join(), "aaaa")
    }),
  )

  it.effect("is copied once when the run is written to another store", () =>
    Effect.gen(function* () {
      const events = yield* recorded(storeAt(newFile()), "r")
      const store = storeAt(newFile())
      yield* recorded(store, "r")
      const path = newFile()
      const elsewhere = storeAt(path)
      yield* elsewhere.write(yield* store.read("r"))
      assert.deepStrictEqual(yield* elsewhere.events("r"), events)
      assert.deepStrictEqual(yield* elsewhere.steps("r"), yield* store.steps("r"))
      assert.notInclude(bodies(path).join(), "aaaa")
    }),
  )

  it.effect("is deleted with its run", () =>
    Effect.gen(function* () {
      const path = newFile()
      const store = storeAt(path)
      const { close, journal } = yield* store.open(start("r"))
      const a = text("a", 2_000_000)
      yield* journal.step("a", Effect.succeed(a))
      journal.event(finished(0, "a", a))
      journal.event({ type: "RunFinished", outputs: {}, seq: 1, at: 1 })
      yield* close
      assert.deepStrictEqual(yield* store.prune({ before: Number.MAX_SAFE_INTEGER }), ["r"])
      const database = new DatabaseSync(path)
      const { count } = database.prepare("SELECT COUNT(*) AS count FROM blobs").get()!
      database.close()
      assert.strictEqual(count, 0)
    }),
  )
})
