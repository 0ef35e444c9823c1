/** An index over short documents, asked for the nearest to a text. */
import type { Effect } from "effect/Effect"
import type { ModelFailed } from "./Failure.ts"

/**
 * One thing to find. `fields` are weighed by name: `name`, `summary`, `group`, `params`, `keywords`; and `text`, which may be
 * long and is found by whole words.
 */
export interface IndexDocument {
  readonly id: string
  readonly fields: { readonly [field: string]: string }
  /** Texts that should find it; the best-matching one counts, they are not added up. */
  readonly examples?: ReadonlyArray<string>
}

export interface IndexHit {
  readonly id: string
  /** Higher is nearer; comparable within one answer only. */
  readonly score: number
}

/** A built index. Adding and removing leaves it as if it had been built from what remains. */
export interface BuiltIndex {
  readonly search: (query: string, limit: number) => Effect<ReadonlyArray<IndexHit>, ModelFailed>
  readonly add: (documents: ReadonlyArray<IndexDocument>) => Effect<void, ModelFailed>
  readonly remove: (ids: ReadonlyArray<string>) => Effect<void>
  readonly size: () => number
}

/** A way to build one. */
export interface Index {
  readonly id: string
  readonly summary: string
  readonly build: (documents: ReadonlyArray<IndexDocument>) => Effect<BuiltIndex, ModelFailed>
}
