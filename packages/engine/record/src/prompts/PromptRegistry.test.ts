/** Versions of prompts: edits, swaps, and changes of others at the same time. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import type { Collection } from "@planloom/plugin/effect"
import { memoryCollections } from "../../../core/src/run/surroundings/memoryCollections.ts"
import { PromptRegistry } from "./PromptRegistry.ts"

const place = () => {
  const kept = memoryCollections()("prompts")
  const reads: Array<string> = []
  const counting: Collection = {
    ...kept,
    get: (key) => {
      reads.push(key)
      return kept.get(key)
    },
  }
  return { reads, here: new PromptRegistry(counting), there: new PromptRegistry(kept) }
}

const given = (text: string) => ({ text, file: "0".repeat(64) })
const texts = Effect.fnUntraced(function* (registry: PromptRegistry) {
  const found = yield* registry.current("w")
  return found && Object.fromEntries(Object.entries(found).map(([name, { text }]) => [name, text]))
})

describe("a prompt registry", () => {
  it.effect("gives no texts of a workflow whose prompts were never edited", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* place().here.current("w"), undefined)
    }),
  )

  it.effect("gives an edited text, an older version again, and no text once the file is used", () =>
    Effect.gen(function* () {
      const { here } = place()
      yield* here.edit("w", "base", given("one\r\n"), { by: "ann", why: "a test" })
      yield* TestClock.adjust(5)
      const second = yield* here.edit("w", "base", given("two"))
      assert.deepStrictEqual(second, { active: 2, latest: 2, revision: 2, at: 5 })
      assert.deepStrictEqual(yield* texts(here), { base: "two" })
      const back = yield* here.use("w", "base", 1, { by: "bob" })
      assert.deepStrictEqual(back, { active: 1, latest: 2, revision: 3, at: 5, by: "bob" })
      assert.deepStrictEqual(yield* texts(here), { base: "one\r\n" })
      yield* here.use("w", "base", "file")
      assert.deepStrictEqual(yield* texts(here), {})
      const all = yield* here.versions("w", "base")
      assert.deepStrictEqual(
        all.map(({ at, by, number, text, why }) => [number, text, at, by, why]),
        [
          [1, "one\r\n", 0, "ann", "a test"],
          [2, "two", 5, undefined, undefined],
        ],
      )
    }),
  )

  it.effect("sees the change of another process with one read while nothing else is new", () =>
    Effect.gen(function* () {
      const { here, reads, there } = place()
      yield* there.edit("w", "base", given("one"))
      assert.deepStrictEqual(yield* texts(here), { base: "one" })
      reads.length = 0
      yield* texts(here)
      assert.strictEqual(reads.length, 1)
      yield* there.edit("w", "base", given("two"))
      assert.deepStrictEqual(yield* texts(here), { base: "two" })
    }),
  )

  it.effect("keeps the edits of two processes at the same time", () =>
    Effect.gen(function* () {
      const { here, there } = place()
      const both = [
        here.edit("w", "base", given("of here")),
        there.edit("w", "base", given("of there")),
        here.edit("w", "task", given("of here")),
        there.edit("w", "task", given("of there")),
      ]
      yield* Effect.all(both, { concurrency: "unbounded" })
      const states = yield* here.states("w")
      for (const prompt of ["base", "task"]) {
        assert.strictEqual(states[prompt]?.revision, 2)
        const versions = yield* here.versions("w", prompt)
        assert.deepStrictEqual(versions.map(({ text }) => text).toSorted(), ["of here", "of there"])
      }
    }),
  )

  it.effect("rejects a change of a revision that another change has replaced", () =>
    Effect.gen(function* () {
      const { here, there } = place()
      yield* there.edit("w", "base", given("one"), { by: "ann", revision: 0 })
      const refused = yield* Effect.flip(here.edit("w", "base", given("two"), { revision: 0 }))
      assert.deepInclude(refused, { reason: "changed" })
      assert.include(refused.message, "by ann")
      assert.deepStrictEqual(yield* texts(here), { base: "one" })
      yield* here.edit("w", "base", given("two"), { revision: 1 })
      assert.deepStrictEqual(yield* texts(here), { base: "two" })
    }),
  )

  it.effect("rejects the use of a version that it does not have", () =>
    Effect.gen(function* () {
      const { here } = place()
      assert.include((yield* Effect.flip(here.use("w", "base", 1))).message, "has no versions")
      yield* here.edit("w", "base", given("one"))
      const refused = yield* Effect.flip(here.use("w", "base", 2))
      assert.deepInclude(refused, { reason: "unknown" })
      assert.include(refused.message, "the versions 1 to 1, not 2")
    }),
  )
})
