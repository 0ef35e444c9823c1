/** Opens a run store file. */
import { closeSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { RunStore, StoreFailed } from "@planloom/plugin/effect"
import { Database } from "./Database.ts"
import { migrate } from "./migrate.ts"
import { Ownership } from "./owner/Ownership.ts"
import { SqliteStore } from "./SqliteStore.ts"
import { retryLocked } from "./retryLocked.ts"

export interface StoreOptions {
  /** Milliseconds to wait for another program's lock on the file; default 10 seconds. */
  readonly lockTimeout?: number
  /**
   * Milliseconds between two heartbeats while runs are open here; default 2 seconds. Other processes consider this one
   * dead after watching five missed heartbeats in a row.
   */
  readonly heartbeat?: number
  /** Size limit of the file, in pages of 4 KiB. */
  readonly maxPages?: number
}

/**
 * Creates missing folders and the file for their owner alone, because runs hold prompts and results. SQLite gives its
 * other files the mode of this one.
 */
const createPrivate = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(path, "ax", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** Creates missing file and folder, readable by their owner alone. Closing the scope closes the store; runs still open are no longer recorded. */
export const openStore = (
  path: string,
  { heartbeat = 2000, maxPages, lockTimeout = 10_000 }: StoreOptions = {},
): Effect.Effect<RunStore, StoreFailed, Scope> =>
  Effect.acquireRelease(
    Effect.clockWith((clock) =>
      // Another process may be creating the file, or bringing it to the newest schema.
      retryLocked(
        () => {
          createPrivate(path)
          // SQLite's own wait blocks the thread, so it is short; the rest of `lockTimeout` is spent in sleeps.
          const busy = Math.min(lockTimeout, 250)
          const database = new Database(
            path,
            maxPages === undefined ? { busy } : { busy, maxPages },
          )
          try {
            migrate(database, path)
          } catch (error) {
            database.close()
            throw error
          }
          const ownership = new Ownership(database, path, heartbeat, clock)
          return new SqliteStore(database, path, lockTimeout, ownership)
        },
        lockTimeout,
        path,
      ),
    ),
    (store) => Effect.sync(() => store.close()),
  )
