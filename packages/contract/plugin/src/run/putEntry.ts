/** The rules of collections that every store follows: compare-and-set, versions, expiry and the length of a page. */
import type { Entry, PutOptions, PutResult } from "../component/Collection.ts"
import type { Json } from "../value/Json.ts"

/** Entries that `list` returns unless it is given a limit. */
export const DEFAULT_ENTRIES = 100

/** The entry to write, or the refusal; `before` is the live entry of the key, and `now` in epoch milliseconds. */
export const putEntry = (
  before: Entry | undefined,
  key: string,
  value: Json,
  { state, ttl, version }: PutOptions,
  now: number,
): PutResult => {
  const expected = version === "new" ? undefined : (version ?? before?.version)
  if (before?.version !== expected) {
    return { ok: false, ...(before === undefined ? {} : { entry: before }) }
  }
  return {
    ok: true,
    entry: {
      key,
      value,
      version: (before?.version ?? 0) + 1,
      at: now,
      ...(state === undefined ? {} : { state }),
      ...(ttl === undefined ? {} : { expiresAt: now + ttl }),
    },
  }
}
