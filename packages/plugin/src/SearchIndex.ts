/** Search index over short documents: finds those nearest to a text. */
import type { Effect } from "effect/Effect"
import type { ModelFailed, StageFailed } from "./Failure.ts"

/**
 * A document to find. `fields` are weighted by name: `name`, `summary`, `group`, `params`, `keywords`; and `text`, which may be
 * long and is matched by whole words.
 */
export interface IndexDocument {
  readonly id: string
  readonly fields: { readonly [field: string]: string }
  /** Texts that should find it; only the best match counts. */
  readonly examples?: ReadonlyArray<string>
}

export interface IndexHit {
  readonly id: string
  /** Higher is nearer; comparable within one search only. */
  readonly score: number
}

/** A built index. Adding and removing gives the same index as building from the resulting documents. */
export interface BuiltIndex {
  readonly search: (query: string, limit: number) => Effect<ReadonlyArray<IndexHit>, ModelFailed>
  readonly add: (documents: ReadonlyArray<IndexDocument>) => Effect<void, ModelFailed>
  readonly remove: (ids: ReadonlyArray<string>) => Effect<void>
  readonly size: () => number
}

/** An index implementation. */
export interface Index {
  readonly id: string
  readonly summary: string
  readonly build: (documents: ReadonlyArray<IndexDocument>) => Effect<BuiltIndex, ModelFailed>
}

/** Builds the workflow's index. Fails unless a declared plugin provides one. */
export type BuildIndex = (
  documents: ReadonlyArray<IndexDocument>,
) => Effect<BuiltIndex, ModelFailed | StageFailed>
