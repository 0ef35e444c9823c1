/** Collections: values that plugins keep between runs, with compare-and-set and claims. */
import type { Effect } from "effect/Effect"
import type { Json } from "../value/Json.ts"
import type { StoreFailed } from "../run/StoreFailed.ts"

/** A kept value. */
export interface Entry {
  readonly key: string
  readonly value: Json
  /** 1 for a new entry, incremented by each `put`. */
  readonly version: number
  /** A word that `list` and `claim` select by. */
  readonly state?: string
  /** Epoch milliseconds of the last `put`. */
  readonly at: number
  /** Epoch milliseconds; the entry is gone from then on. */
  readonly expiresAt?: number
}

export interface PutOptions {
  /** Writes only if the entry has this version, or does not exist (`new`). */
  readonly version?: number | "new"
  readonly state?: string
  /** Milliseconds until the entry expires. */
  readonly ttl?: number
}

/** `ok: false`: nothing was written, because the entry has another version or does not exist; `entry` is the one that exists. */
export type PutResult =
  | { readonly ok: true; readonly entry: Entry }
  | { readonly ok: false; readonly entry?: Entry }

export interface EntryFilter {
  readonly prefix?: string
  readonly state?: string
  /** Continues after this key. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

/** A named set of entries, shared by all runs of a store. */
export interface Collection {
  readonly get: (key: string) => Effect<Entry | undefined, StoreFailed>
  readonly put: (key: string, value: Json, options?: PutOptions) => Effect<PutResult, StoreFailed>
  readonly remove: (key: string) => Effect<void, StoreFailed>
  /** In order of keys. */
  readonly list: (filter?: EntryFilter) => Effect<ReadonlyArray<Entry>, StoreFailed>
  /** Takes the oldest entry in a state for `by` for so many milliseconds; another claimant gets a different one. */
  readonly claim: (state: string, by: string, ms: number) => Effect<Entry | undefined, StoreFailed>
}
