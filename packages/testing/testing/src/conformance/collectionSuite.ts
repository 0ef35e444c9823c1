/** What every store of collections promises. */
import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Collection, StoreFailed } from "@planloom/plugin/effect"
import type { SuiteRunner } from "./SuiteRunner.ts"

/** `open` gives the collections of an empty store; what is called twice belongs to two processes. */
export const collectionSuite = (
  { describe, it }: SuiteRunner,
  id: string,
  open: () => Promise<{
    readonly one: (name: string) => Collection
    readonly other: (name: string) => Collection
  }>,
): void => {
  const test = (
    title: string,
    body: (one: Collection, other: Collection) => Effect.Effect<void, StoreFailed>,
  ) =>
    it(title, async () => {
      const { one, other } = await open()
      const work = body(one("jobs"), other("jobs"))
      await Effect.runPromise(Effect.provide(work, TestClock.layer()))
    })

  describe(`collections of ${id}`, () => {
    test("keep values under a key, each with its version", (one, other) =>
      Effect.gen(function* () {
        assert.equal(yield* one.get("a"), undefined)
        yield* one.put("a", { n: 1 })
        yield* other.put("a", { n: 2 }, { state: "open" })
        const entry = { key: "a", value: { n: 2 }, version: 2, at: 0, state: "open" }
        assert.deepEqual(yield* one.get("a"), entry)
        yield* other.remove("a")
        assert.equal(yield* one.get("a"), undefined)
      }))

    test("write only over the expected version", (one, other) =>
      Effect.gen(function* () {
        assert.deepEqual(yield* one.put("a", 1, { version: 1 }), { ok: false })
        assert.equal((yield* one.put("a", 1, { version: "new" })).ok, true)
        const refused = yield* other.put("a", 2, { version: "new" })
        assert.deepEqual([refused.ok, refused.entry?.value], [false, 1])
        assert.equal((yield* other.put("a", 2, { version: 1 })).ok, true)
        assert.equal((yield* one.put("a", 3, { version: 1 })).ok, false)
        assert.equal((yield* one.get("a"))?.value, 2)
      }))

    test("list entries by prefix and state, in order of keys, in pages", (one) =>
      Effect.gen(function* () {
        for (const key of ["b/2", "a", "b/1", "b%"]) yield* one.put(key, key, { state: key[0]! })
        const keys = (entries: ReadonlyArray<{ readonly key: string }>) =>
          entries.map(({ key }) => key)
        assert.deepEqual(keys(yield* one.list()), ["a", "b%", "b/1", "b/2"])
        assert.deepEqual(keys(yield* one.list({ prefix: "b/" })), ["b/1", "b/2"])
        assert.deepEqual(keys(yield* one.list({ state: "a" })), ["a"])
        assert.deepEqual(keys(yield* one.list({ after: "b%", limit: 1 })), ["b/1"])
      }))

    test("give each claimant another entry, the oldest first, and again once its time is over", (one, other) =>
      Effect.gen(function* () {
        yield* one.put("b", 1, { state: "open" })
        yield* one.put("a", 2, { state: "open" })
        yield* one.put("c", 3, { state: "done" })
        assert.equal((yield* one.claim("open", "x", 1000))?.key, "b")
        assert.equal((yield* other.claim("open", "y", 1000))?.key, "a")
        assert.equal(yield* other.claim("open", "y", 1000), undefined)
        yield* TestClock.adjust(1000)
        assert.equal((yield* other.claim("open", "y", 1000))?.key, "b")
      }))

    test("lose an entry when its time is over", (one, other) =>
      Effect.gen(function* () {
        yield* one.put("a", 1, { ttl: 1000 })
        assert.equal((yield* other.get("a"))?.expiresAt, 1000)
        yield* TestClock.adjust(1000)
        assert.equal(yield* other.get("a"), undefined)
        assert.deepEqual(yield* other.list(), [])
        assert.equal((yield* other.put("a", 2, { version: "new" })).ok, true)
      }))

    it("keep entries of different names apart", async () => {
      const { one } = await open()
      await Effect.runPromise(one("jobs").put("a", 1))
      assert.equal(await Effect.runPromise(one("users").get("a")), undefined)
    })
  })
}
