/** Collections, stored in the file of the runs whose plugins keep values in them. */
import * as Effect from "effect/Effect"
import {
  DEFAULT_ENTRIES,
  putEntry,
  type Collection,
  type Entry,
  type Json,
  type PutResult,
  type StoreFailed,
} from "@planloom/plugin/effect"
import type { Database, Row } from "./Database.ts"
import { collections } from "./sql.ts"

/** Runs work on the database and retries while another program holds its lock. */
type RetryLocked = <A>(work: () => A) => Effect.Effect<A, StoreFailed>

export const sqliteCollection = (
  database: Database,
  name: string,
  retryLocked: RetryLocked,
): Collection => {
  const at = <A>(use: (now: number) => A) =>
    Effect.clockWith((clock) => retryLocked(() => use(clock.currentTimeMillisUnsafe())))
  const find = (key: string, now: number): Entry | undefined => {
    const row = database.get(collections.one, name, key, now)
    return row === undefined ? undefined : toEntry(row)
  }
  return {
    get: (key) => at((now) => find(key, now)),
    put: (key, value, options = {}) =>
      at((now) =>
        database.transaction((): PutResult => {
          const put = putEntry(find(key, now), key, value, options, now)
          if (!put.ok) return put
          const { expiresAt, state, version } = put.entry
          // Expired entries go when something is written, so that they do not pile up.
          database.run(collections.expire, name, now)
          database.run(collections.drop, name, key)
          database.run(
            collections.insert,
            name,
            key,
            version,
            JSON.stringify(value),
            state ?? null,
            now,
            expiresAt ?? null,
          )
          return put
        }),
      ),
    remove: (key) => at(() => void database.run(collections.drop, name, key)),
    list: ({ after = "", limit = DEFAULT_ENTRIES, prefix = "", state = "" } = {}) =>
      at((now) =>
        database
          .all(collections.list, name, now, after, [...prefix].length, prefix, state, state, limit)
          .map(toEntry),
      ),
    claim: (state, by, ms) =>
      at((now) =>
        database.transaction(() => {
          const row = database.get(collections.next, name, state, now, now)
          if (row === undefined) return undefined
          database.run(collections.claim, by, now + ms, name, row["key"] as string)
          return toEntry(row)
        }),
      ),
  }
}

const toEntry = (row: Row): Entry => ({
  key: row["key"] as string,
  value: JSON.parse(row["body"] as string) as Json,
  version: Number(row["version"]),
  at: Number(row["at"]),
  ...(row["state"] === null ? {} : { state: row["state"] as string }),
  ...(row["expires_at"] === null ? {} : { expiresAt: Number(row["expires_at"]) }),
})
