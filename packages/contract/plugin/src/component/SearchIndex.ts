/** Search index over short documents: finds those nearest to a text. */
import type { Effect } from "effect/Effect"
import type { ModelFailed, StageFailed } from "../run/Failure.ts"

/**
 * A document to find. `fields` are weighted by name: `name`, `summary`, `group`, `params`, `keywords`; and `text`, which may be
 * long and is matched by whole words.
 */
export interface IndexDocument {
  readonly id: string
  readonly fields: { readonly [field: string]: string }
  /** Texts that should find it; only the best match counts. */
  readonly examples?: ReadonlyArray<string>
  /** Groups of words and phrases that mean the same; they hold for the whole index that is built with the document. */
  readonly synonyms?: ReadonlyArray<ReadonlyArray<string>>
  /** Values by which a search is narrowed, by facet: `{ room: ["west"], day: ["mon", "tue"] }`. They match no words. */
  readonly facets?: { readonly [facet: string]: ReadonlyArray<string> }
}

export interface SearchOptions {
  /** Maximum number of hits. */
  readonly limit: number
  /** Leaves out hits with a lower score. */
  readonly least?: number
  /** Only documents that have one of the values in each of these facets. */
  readonly where?: { readonly [facet: string]: ReadonlyArray<string> }
}

export interface IndexHit {
  readonly id: string
  /** From 0, no relation, to 1, says the same; comparable between queries of one index. */
  readonly score: number
}

/** A built index. Adding and removing gives the same index as building from the resulting documents. */
export interface BuiltIndex {
  /** Best first, each document once. */
  readonly search: (
    query: string,
    options: SearchOptions,
  ) => Effect<ReadonlyArray<IndexHit>, ModelFailed>
  /** The hits of several queries, in their order; all of them in one call of the embedder, if there is one. */
  readonly searchAll?: (
    queries: ReadonlyArray<string>,
    options: SearchOptions,
  ) => Effect<ReadonlyArray<ReadonlyArray<IndexHit>>, ModelFailed>
  readonly add: (documents: ReadonlyArray<IndexDocument>) => Effect<void, ModelFailed>
  readonly remove: (ids: ReadonlyArray<string>) => Effect<void>
  readonly size: () => number
}

/**
 * Vectors of length 1 of texts, in order, by the workflow's embedder: cached, counted and emitted by the engine. Undefined
 * when there are none now, because the embedder or a budget failed: the search then goes by words alone.
 */
export type EmbedTexts = (
  texts: ReadonlyArray<string>,
) => Effect<ReadonlyArray<Float32Array> | undefined>

/** An embedder of the workflow's plugins, for an index that a tool source keeps by itself. */
export interface TextEmbedder {
  /** `service/model`: vectors of different ones do not compare. */
  readonly model: string
  readonly dimensions: number
  /** Without a cache: the source keeps the vectors. Call it in the fiber of the tool call, of which its calls are a part. */
  readonly embed: EmbedTexts
  /** Marks the search as degraded: it goes without vectors for a reason of the source, in one sentence. */
  readonly without: (reason: string) => Effect<void>
}

/** A reranker of the workflow's plugins, for a tool source that searches. */
export interface TextReranker {
  /** `service/model`. */
  readonly model: string
  /**
   * How relevant the texts are to a query, in their order; undefined when there are no scores now, because the reranker or a
   * budget failed: the search keeps its order. Call it in the fiber of the tool call, of which its calls are a part.
   */
  readonly rerank: (
    query: string,
    texts: ReadonlyArray<string>,
  ) => Effect<ReadonlyArray<number> | undefined>
}

export interface IndexOptions {
  /** Present in a workflow with `embeddings`. Call it in `search` only, in the fiber that searches. */
  readonly embed?: EmbedTexts
  /** Model of the embedder: vectors of different ones do not compare. */
  readonly embedder?: string
}

/** An index implementation. */
export interface Index {
  readonly id: string
  readonly summary: string
  readonly build: (
    documents: ReadonlyArray<IndexDocument>,
    options?: IndexOptions,
  ) => Effect<BuiltIndex, ModelFailed>
}

/** Builds the workflow's index. Fails unless a declared plugin provides one. */
export type BuildIndex = (
  documents: ReadonlyArray<IndexDocument>,
) => Effect<BuiltIndex, ModelFailed | StageFailed>
