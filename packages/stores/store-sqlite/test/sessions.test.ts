/** Sessions in the store: saved once, never lost, pruned by age. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RunEvent, SessionChange } from "@planloom/plugin/effect"
import { newFile, newFolder, start, storeAt } from "./store.ts"

const change = (run: string, after: string | undefined, more: Partial<SessionChange> = {}) => ({
  run,
  after,
  workflow: "test",
  turns: [{ user: run, assistant: "yes" }],
  state: { n: 1 },
  at: 1,
  ...more,
})

const talk = (folder: string, ...args: ReadonlyArray<string>) =>
  new Promise<{ readonly stdout: string; readonly signal: string | null; readonly stderr: string }>(
    (resolve) => {
      const child = spawn(process.execPath, [
        join(import.meta.dirname, "talker.ts"),
        folder,
        ...args,
      ])
      let stdout = ""
      let stderr = ""
      child.stdout.on("data", (data: Buffer) => (stdout += data.toString()))
      child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
      child.on("close", (_, signal) => resolve({ stdout, signal, stderr }))
    },
  )

describe("a session in the SQLite store", () => {
  it.effect("is saved from one run to the next and read by another process", () =>
    Effect.gen(function* () {
      const path = newFile()
      const { sessions } = storeAt(path)
      assert.strictEqual(yield* sessions.load("s"), undefined)
      assert.deepStrictEqual(yield* sessions.save("s", change("a", undefined)), {
        saved: true,
        version: 1,
      })
      yield* sessions.save("s", change("b", "a", { at: 2 }))
      assert.deepStrictEqual(yield* storeAt(path).sessions.load("s"), {
        session: "s",
        workflow: "test",
        version: 2,
        turns: [{ user: "b", assistant: "yes" }],
        state: { n: 1 },
        run: "b",
        updatedAt: 2,
      })
    }),
  )

  it.effect("refuses a run that another run overtook, and names it", () =>
    Effect.gen(function* () {
      const { sessions } = storeAt(newFile())
      yield* sessions.save("s", change("a", undefined))
      yield* sessions.save("s", change("b", "a"))
      assert.deepStrictEqual(yield* sessions.save("s", change("c", "a")), {
        saved: false,
        version: 2,
        run: "b",
      })
      assert.strictEqual((yield* sessions.load("s"))?.run, "b")
    }),
  )

  it.effect("saves a run once, even if other runs were saved since", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const { sessions } = store
      const { close } = yield* store.open(start("a", { session: "s" }))
      yield* sessions.save("s", change("a", undefined, { epoch: 1 }))
      yield* sessions.save("s", change("b", "a"))
      assert.deepStrictEqual(yield* sessions.save("s", change("a", undefined, { epoch: 1 })), {
        saved: true,
        version: 1,
      })
      assert.strictEqual((yield* sessions.load("s"))?.version, 2)
      yield* close
    }),
  )

  it.effect("saves nothing of a run that another process has taken over", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      yield* store.open(start("a", { session: "s" }))
      yield* store.open(start("a", { session: "s" }))
      const failure = yield* Effect.flip(
        store.sessions.save("s", change("a", undefined, { epoch: 1 })),
      )
      assert.strictEqual(failure.reason, "fenced")
    }),
  )

  it.effect("starts again when cleared, and refuses runs of the cleared session", () =>
    Effect.gen(function* () {
      const { sessions } = storeAt(newFile())
      yield* sessions.save("s", change("a", undefined))
      assert.isTrue(yield* sessions.clear("s"))
      assert.isFalse(yield* sessions.clear("s"))
      yield* sessions.save("s", change("x", undefined))
      assert.isFalse((yield* sessions.save("s", change("b", "a"))).saved)
    }),
  )

  it.effect("lists its runs and the one that waits for an answer", () =>
    Effect.gen(function* () {
      const store = storeAt(newFile())
      const a = yield* store.open(start("a", { session: "s" }))
      yield* store.open(start("b"))
      assert.deepStrictEqual(
        (yield* store.list({ session: "s" })).map(({ run, session }) => ({ run, session })),
        [{ run: "a", session: "s" }],
      )
      assert.strictEqual((yield* store.show("b"))?.session, undefined)
      assert.strictEqual(yield* store.sessions.waiting("s"), undefined)
      const suspended: RunEvent = { type: "RunSuspended", waits: [], seq: 0, at: 0 }
      a.journal.event(suspended)
      yield* a.close
      assert.strictEqual(yield* store.sessions.waiting("s"), "a")
      assert.strictEqual(yield* store.sessions.waiting("other"), undefined)
    }),
  )

  it.effect(
    "is pruned by age unless a run can resume in it; lists start with the last changed",
    () =>
      Effect.gen(function* () {
        const store = storeAt(newFile())
        const { sessions } = store
        yield* sessions.save("old", change("a", undefined, { at: 10 }))
        yield* sessions.save("open", change("b", undefined, { at: 11 }))
        yield* sessions.save("new", change("c", undefined, { at: 90 }))
        yield* store.open(start("d", { session: "open" }))
        assert.deepStrictEqual(yield* sessions.prune(50), ["old"])
        assert.deepStrictEqual(
          (yield* sessions.list()).map(({ session }) => session),
          ["new", "open"],
        )
        assert.strictEqual((yield* sessions.list({ limit: 1 })).length, 1)
        yield* store.prune({ before: 95 })
        assert.deepStrictEqual(
          (yield* sessions.list()).map(({ session }) => session),
          ["open"],
        )
      }),
  )
})

it("two processes in one session at once lose no turn", { timeout: 60_000 }, async () => {
  const folder = newFolder()
  const ends = await Promise.all([talk(folder, "one", "12"), talk(folder, "two", "12")])
  assert.deepStrictEqual(
    ends.map(({ stderr }) => stderr),
    ["", ""],
  )
  const session = await Effect.runPromise(storeAt(join(folder, "runs.db")).sessions.load("s"))
  assert.strictEqual(session?.version, 24)
  assert.strictEqual(session?.state["count"], 35 * 25)
  assert.strictEqual(new Set(session?.turns.map(({ user }) => user)).size, 24)
  // Each turn saw the count of the previous one.
  assert.deepStrictEqual(
    session?.turns.map(({ assistant }) => Number(assistant)),
    Array.from({ length: 24 }, (_, index) => 35 * (index + 1) + 1),
  )
})

it(
  "kill -9 between saving a turn and ending its run: the run resumes and the turn is saved once",
  { timeout: 60_000 },
  async () => {
    const folder = newFolder()
    const killed = await talk(folder, "one", "die")
    assert.strictEqual(killed.signal, "SIGKILL", killed.stderr)
    const store = storeAt(join(folder, "runs.db"))
    assert.strictEqual((await Effect.runPromise(store.show("mortal")))?.status, "running")
    await talk(folder, "two", "3")
    const again = await talk(folder, "one", "again")
    assert.strictEqual(again.stderr, "")
    assert.strictEqual((await Effect.runPromise(store.show("mortal")))?.status, "succeeded")
    const session = await Effect.runPromise(store.sessions.load("s"))
    assert.strictEqual(session?.version, 4)
    assert.deepStrictEqual(
      session?.turns.map(({ user }) => user),
      ["mortal", "two 0", "two 1", "two 2"],
    )
  },
)
