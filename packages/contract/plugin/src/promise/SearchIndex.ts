/** Search indexes in promise style. */
import * as Effect from "effect/Effect"
import type {
  BuiltIndex as EffectBuiltIndex,
  Index as EffectIndex,
  IndexDocument,
  IndexHit,
  IndexOptions,
  SearchOptions,
} from "../component/SearchIndex.ts"
import type { Async, CallSignal } from "./Async.ts"
import { fromAsync } from "./fromAsync.ts"
import { modelFailure } from "./Thrown.ts"
import { translate } from "./translate.ts"

/** What a search may use. */
export interface SearchCall extends Async<IndexOptions>, CallSignal {}

/** A built index. Adding and removing gives the same index as building from the resulting documents. */
export interface BuiltIndex {
  /** Best first, each document once. `embed` is present in a workflow with `embeddings`. */
  readonly search: (
    query: string,
    options: SearchOptions,
    call: SearchCall,
  ) => ReadonlyArray<IndexHit> | PromiseLike<ReadonlyArray<IndexHit>>
  readonly add: (documents: ReadonlyArray<IndexDocument>) => void | PromiseLike<void>
  readonly remove: (ids: ReadonlyArray<string>) => void | PromiseLike<void>
  readonly size: () => number
}

/** An index implementation. */
export interface Index extends Pick<EffectIndex, "id" | "summary"> {
  readonly build: (documents: ReadonlyArray<IndexDocument>) => BuiltIndex | PromiseLike<BuiltIndex>
}

/** Declares an index. */
export const index = ({ build, id, summary }: Index): EffectIndex => ({
  id,
  summary,
  build: (documents, options = {}) =>
    Effect.map(
      fromAsync(() => build(documents), failedSearch),
      (built): EffectBuiltIndex => ({
        search: (query, limits) =>
          fromAsync(
            (call) => built.search(query, limits, translate(options, call) as SearchCall),
            failedSearch,
          ),
        add: (more) => fromAsync(() => built.add(more), failedSearch),
        remove: (ids) => fromAsync(() => built.remove(ids), Effect.die),
        size: () => built.size(),
      }),
    ),
})

const failedSearch = modelFailure("none")
