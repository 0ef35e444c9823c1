/** The embedded index as a plugin component: no native code or setup, and no network unless the workflow has an embedder. */
import type { BuiltIndex, Index, IndexDocument } from "@planloom/plugin/effect"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { contentKey } from "./contentKey.ts"
import type { EmbeddedIndex } from "./EmbeddedIndex.ts"
import { indexCache, type IndexCache } from "./openIndex.ts"
import { englishThesaurus, readConcepts, Thesaurus, type Concept } from "./text/Thesaurus.ts"
import { english } from "./text/english.ts"
import { VectorFile } from "./VectorFile.ts"
import { ExactRanking, type VectorRanking } from "./VectorRanking.ts"
import { VectorStore } from "./VectorStore.ts"

export interface EmbeddedOptions {
  /** Folder of saved indexes; without it, each process builds its own. */
  readonly folder?: string
  /** Concepts in place of the English ones. */
  readonly thesaurus?: ReadonlyArray<Concept>
  /** Makes the ranking of the vectors of one index, which has an embedder; all are compared unless given. */
  readonly ranking?: () => VectorRanking
}

/** Plugin component with options of its own. */
export const embeddedIndex = ({
  folder,
  ranking = () => new ExactRanking(),
  thesaurus,
}: EmbeddedOptions = {}): Index => {
  const base = thesaurus ?? readConcepts(english)
  const caches = new Map<string, IndexCache>()
  const cacheFor = (synonyms: ReadonlyArray<Concept>) => {
    const rules = JSON.stringify([thesaurus ?? null, synonyms])
    let cache = caches.get(rules)
    if (cache === undefined) {
      const whole =
        thesaurus === undefined && synonyms.length === 0
          ? englishThesaurus()
          : new Thesaurus(base, synonyms)
      cache = indexCache(whole, folder)
      caches.set(rules, cache)
    }
    return { ...cache, rules }
  }
  return {
    id: "embedded",
    summary:
      "Finds by words, concepts, character grams and, with an embedder, by meaning; in memory.",
    build: (documents, options = {}) =>
      Effect.suspend(() => {
        const { open, rules } = cacheFor(synonymsOf(documents))
        return Effect.map(open(contentKey(documents, rules), documents), (shared) =>
          built(
            shared,
            documents,
            options.embed &&
              new VectorStore(options.embed, ranking(), vectorFile(options.embedder, folder)),
          ),
        )
      }),
  }
}

export const embedded: Index = embeddedIndex()

/** The groups of all documents, each once: those of one catalog share theirs. */
const synonymsOf = (documents: ReadonlyArray<IndexDocument>): ReadonlyArray<Concept> => {
  const groups = new Map<string, Concept>()
  const lists = new Set(
    documents.flatMap(({ synonyms }) => (synonyms === undefined ? [] : [synonyms])),
  )
  for (const list of lists) for (const group of list) groups.set(JSON.stringify(group), group)
  return [...groups.values()]
}

/** Of one embedder: its vectors compare with no other's. */
const vectorFile = (
  embedder: string | undefined,
  folder: string | undefined,
): VectorFile | undefined =>
  embedder === undefined || folder === undefined
    ? undefined
    : new VectorFile(join(folder, `${embedder.replaceAll(/[^\w.-]+/g, "_")}.vectors`))

/** Searches the shared index until the first change, then a copy. */
const built = (
  shared: EmbeddedIndex,
  documents: ReadonlyArray<IndexDocument>,
  vectors: VectorStore | undefined,
): BuiltIndex => {
  let index = shared
  const own = () => {
    if (index === shared) index = shared.copy()
    return index
  }
  vectors?.add(documents)
  const searchAll: NonNullable<BuiltIndex["searchAll"]> = (queries, options) =>
    vectors === undefined
      ? Effect.sync(() => queries.map((query) => index.search(query, options)))
      : Effect.map(vectors.nearest(queries, index.allowed(options.where)), (near) =>
          queries.map((query, at) => index.search(query, options, near?.[at])),
        )
  return {
    search: (query, options) => Effect.map(searchAll([query], options), ([hits]) => hits!),
    searchAll,
    add: (more) =>
      Effect.sync(() => {
        own().add(more)
        vectors?.add(more)
      }),
    remove: (ids) =>
      Effect.sync(() => {
        own().remove(ids)
        vectors?.remove(ids)
      }),
    size: () => index.size,
  }
}
