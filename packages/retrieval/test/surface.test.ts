/** Exports of the package, and the index through the plugin contract. */
import * as retrieval from "@planloom/retrieval"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"

it("@planloom/retrieval exports the index and its plugin", () => {
  expect(Object.keys(retrieval).toSorted()).toEqual(["EmbeddedIndex", "default", "embedded"])
  expect(retrieval.default.components?.indexes?.map(({ id }) => id)).toEqual(["embedded"])
})

it("the embedded index builds, searches, adds and removes through the contract", async () => {
  const program = Effect.gen(function* () {
    const index = yield* retrieval.embedded.build([{ id: "a", fields: { summary: "red apples" } }])
    yield* index.add([{ id: "b", fields: { summary: "red berries" } }])
    const both = yield* index.search("red", { limit: 5 })
    yield* index.remove(["a", "unknown"])
    const left = yield* index.search("red", { limit: 5 })
    return { both: both.map(({ id }) => id), left: left.map(({ id }) => id), size: index.size() }
  })
  expect(await Effect.runPromise(program)).toEqual({ both: ["a", "b"], left: ["b"], size: 1 })
})
