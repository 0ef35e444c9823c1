/** Exports of the package, and the index through the plugin contract. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { EmbedTexts, Index, IndexDocument } from "@planloom/plugin/effect"
import * as retrieval from "@planloom/retrieval"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"

const fruit = (id: string, summary: string): IndexDocument => ({ id, fields: { summary } })
const apples = [fruit("a", "red apples"), fruit("b", "red berries")]

const found = (index: Index, documents: ReadonlyArray<IndexDocument>, query: string) =>
  Effect.gen(function* () {
    const built = yield* index.build(documents)
    return (yield* built.search(query, { limit: 5 })).map(({ id }) => id)
  })

it("@planloom/retrieval exports the index and its plugin", () => {
  assert.deepStrictEqual(Object.keys(retrieval).toSorted(), [
    "EmbeddedIndex",
    "ExactRanking",
    "Thesaurus",
    "default",
    "embedded",
    "embeddedIndex",
    "readConcepts",
  ])
  assert.deepStrictEqual(retrieval.default.provides?.indexes, ["embedded"])
})

describe("the embedded index", () => {
  it.effect("builds, searches, adds and removes through the contract", () =>
    Effect.gen(function* () {
      const index = yield* retrieval.embedded.build([fruit("a", "red apples")])
      yield* index.add([fruit("b", "red berries")])
      const both = yield* index.search("red", { limit: 5 })
      yield* index.remove(["a", "unknown"])
      const left = yield* index.search("red", { limit: 5 })
      assert.deepStrictEqual(both.map(({ id }) => id).toSorted(), ["a", "b"])
      assert.deepStrictEqual(
        left.map(({ id }) => id),
        ["b"],
      )
      assert.strictEqual(index.size(), 1)
    }),
  )

  it.effect("is kept for the same documents, and a change of one use leaves the others alone", () =>
    Effect.gen(function* () {
      const index = retrieval.embeddedIndex()
      const one = yield* index.build(apples)
      yield* one.remove(["a"])
      assert.deepStrictEqual(yield* found(index, apples, "red"), ["a", "b"])
      assert.deepStrictEqual(yield* found(index, [fruit("a", "blue")], "red"), [])
    }),
  )

  it.effect("finds by the synonyms of the workflow's catalogs", () =>
    Effect.gen(function* () {
      const index = retrieval.embeddedIndex({ thesaurus: [] })
      const synonyms = [["scarlet", "red"]]
      const described = apples.map((one) => ({ ...one, synonyms }))
      assert.deepStrictEqual(yield* found(index, described, "scarlet"), ["a", "b"])
      assert.deepStrictEqual(yield* found(index, apples, "scarlet"), [])
    }),
  )

  it.effect("embeds all queries of a search with the new documents in one call", () =>
    Effect.gen(function* () {
      const sent: Array<ReadonlyArray<string>> = []
      const embed: EmbedTexts = (texts) =>
        Effect.sync(() => {
          sent.push(texts)
          return texts.map((text) => Float32Array.of(text.includes("red") ? 1 : 0, 1))
        })
      const index = yield* retrieval.embeddedIndex().build(apples, { embed })
      const hits = yield* index.searchAll!(["red", "", "apple", "red"], { limit: 5 })
      assert.deepStrictEqual(sent, [["red", "apple", "red apples", "red berries"]])
      assert.deepStrictEqual(hits[0], hits[3])
      assert.strictEqual(hits[2]![0]?.id, "a")
      assert.deepStrictEqual(hits[1], [])
    }),
  )
})

describe("a saved index", () => {
  const inFolder = <A, E>(use: (folder: string) => Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "planloom-index-"))),
      use,
      (folder) => Effect.promise(() => rm(folder, { recursive: true })),
    )

  const logged = (messages: Array<string>) =>
    Effect.provide(
      Logger.layer([Logger.make(({ message }) => void messages.push(String(message)))]),
    )

  it.effect("is one file that another process reads, and is written again if it is damaged", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const messages: Array<string> = []
        const search = Effect.suspend(() =>
          found(retrieval.embeddedIndex({ folder }), apples, "red apples"),
        ).pipe(logged(messages))
        assert.deepStrictEqual(yield* search, ["a", "b"])
        const [name = "", ...more] = yield* Effect.promise(() => readdir(folder))
        assert.deepStrictEqual(more, [])
        const file = join(folder, name)
        const bytes = yield* Effect.promise(() => readFile(file))
        assert.deepStrictEqual(yield* search, ["a", "b"])
        assert.deepStrictEqual(messages, [])
        yield* Effect.promise(() => writeFile(file, bytes.subarray(0, 60)))
        assert.deepStrictEqual(yield* search, ["a", "b"])
        assert.lengthOf(messages, 1)
        assert.match(messages[0]!, /is damaged; it is built again/)
        assert.deepStrictEqual(yield* Effect.promise(() => readFile(file)), bytes)
      }),
    ),
  )

  it.effect("has a file of vectors, so that each text is embedded once", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const sent: Array<string> = []
        const embed: EmbedTexts = (texts) =>
          Effect.sync(() => {
            sent.push(...texts)
            return texts.map((text) => Float32Array.of(text.includes("apple") ? 1 : 0, 0.5))
          })
        const messages: Array<string> = []
        const search = (documents: ReadonlyArray<IndexDocument>, embedder = "lab/small:1") =>
          Effect.gen(function* () {
            sent.length = 0
            const index = retrieval.embeddedIndex({ folder })
            const built = yield* index.build(documents, { embed, embedder })
            return (yield* built.search("apple", { limit: 5 })).map(({ id }) => id)
          }).pipe(logged(messages))
        const first = yield* search(apples)
        assert.deepStrictEqual(sent, ["apple", "red apples", "red berries"])
        assert.deepStrictEqual(yield* search(apples), first)
        assert.deepStrictEqual(sent, ["apple"])
        yield* search([...apples, fruit("c", "green apples")])
        assert.deepStrictEqual(sent, ["apple", "green apples"])
        yield* search(apples, "lab/large")
        assert.deepStrictEqual(sent, ["apple", "red apples", "red berries"])
        assert.deepStrictEqual(messages, [])
        yield* Effect.promise(() => writeFile(join(folder, "lab_small_1.vectors"), "?".repeat(99)))
        assert.deepStrictEqual(yield* search(apples), first)
        assert.deepStrictEqual(sent, ["apple", "red apples", "red berries"])
        assert.match(messages.join(), /are not vectors; they are embedded again/)
      }),
    ),
  )

  it.effect("and a thesaurus are what the plugin's config names", () =>
    inFolder((root) =>
      Effect.gen(function* () {
        const setUp = (config: object) =>
          retrieval.default.setup!(config, { root, secret: () => undefined })
        const indexOf = (config: object) =>
          Effect.map(Effect.scoped(setUp(config)), ({ indexes }) => indexes![0]!)
        const rain = [fruit("r", "rain")]
        assert.deepStrictEqual(yield* found(yield* indexOf({}), rain, "weather"), ["r"])
        const without = yield* indexOf({ thesaurus: "none", folder: "kept" })
        assert.deepStrictEqual(yield* found(without, rain, "weather"), [])
        assert.lengthOf(yield* Effect.promise(() => readdir(join(root, "kept"))), 1)
        yield* Effect.promise(() => writeFile(join(root, "words.txt"), "rain wet\n"))
        const own = yield* indexOf({ thesaurus: "words.txt" })
        assert.deepStrictEqual(yield* found(own, rain, "wet"), ["r"])
        const failure = yield* Effect.flip(Effect.scoped(setUp({ thesaurus: "no.txt" })))
        assert.match(failure.message, /the thesaurus cannot be read/)
        assert.deepStrictEqual(failure.detail, { path: ["thesaurus"] })
      }),
    ),
  )

  it.effect("that cannot be written is reported, and the search succeeds", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const file = join(folder, "file")
        yield* Effect.promise(() => writeFile(file, ""))
        const messages: Array<string> = []
        const index = retrieval.embeddedIndex({ folder: file })
        assert.deepStrictEqual(yield* found(index, apples, "apples").pipe(logged(messages)), [
          "a",
          "b",
        ])
        assert.match(messages.join("\n"), /cannot be saved/)
      }),
    ),
  )

  it.effect("is kept for sixteen sets of documents", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const index = retrieval.embeddedIndex({ folder })
        for (let at = 0; at < 18; at++) yield* index.build([fruit(`f${at}`, "red")])
        assert.lengthOf(yield* Effect.promise(() => readdir(folder)), 16)
      }),
    ),
  )
})
