/** The embedded index as a plugin component: no native code or setup, and no network unless the workflow has an embedder. */
import type { BuiltIndex, EmbedTexts, Index, IndexDocument } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { EmbeddedIndex } from "./EmbeddedIndex.ts"
import { VectorStore } from "./VectorStore.ts"

export const embedded: Index = {
  id: "embedded",
  summary:
    "Finds by words, concepts, character grams and, with an embedder, by meaning; in memory.",
  build: (documents, { embed } = {}) =>
    Effect.sync(() => (embed === undefined ? byWords(documents) : byMeaning(documents, embed))),
}

const byWords = (documents: ReadonlyArray<IndexDocument>): BuiltIndex => {
  const index = new EmbeddedIndex(documents)
  return {
    search: (query, options) => Effect.sync(() => index.search(query, options)),
    add: (more) => Effect.sync(() => index.add(more)),
    remove: (ids) => Effect.sync(() => index.remove(ids)),
    size: () => index.size,
  }
}

const byMeaning = (documents: ReadonlyArray<IndexDocument>, embed: EmbedTexts): BuiltIndex => {
  const index = new EmbeddedIndex(documents)
  const store = new VectorStore(embed)
  store.add(documents)
  return {
    search: (query, options) =>
      Effect.map(store.nearest(query, index.allowed(options.where)), (near) =>
        index.search(query, options, near),
      ),
    add: (more) =>
      Effect.sync(() => {
        index.add(more)
        store.add(more)
      }),
    remove: (ids) =>
      Effect.sync(() => {
        index.remove(ids)
        store.remove(ids)
      }),
    size: () => index.size,
  }
}
