/** Opens a file of runs. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { RunStore, StoreFailed } from "@planloom/plugin"
import { Database } from "./Database.ts"
import { migrate } from "./migrate.ts"
import { Ownership } from "./Ownership.ts"
import { SqliteStore } from "./SqliteStore.ts"
import { toStoreFailed } from "./toStoreFailed.ts"

export interface StoreOptions {
  /** Milliseconds to wait for another program that holds the file locked; 10 seconds unless given. */
  readonly patience?: number
  /**
   * Milliseconds between two heartbeats while runs are open here; 2 seconds unless given. Others take this process
   * for dead when they have watched five in a row fail to come.
   */
  readonly heartbeat?: number
  /** The file grows no further than so many pages of 4 KiB. */
  readonly maxPages?: number
}

/** Makes file and folder when they are missing. The scope closes it; runs still open stop being recorded. */
export const openStore = (
  path: string,
  { heartbeat = 2000, maxPages, patience = 10_000 }: StoreOptions = {},
): Effect.Effect<RunStore, StoreFailed, Scope> =>
  Effect.acquireRelease(
    Effect.clockWith((clock) =>
      Effect.try({
        try: () => {
          mkdirSync(dirname(path), { recursive: true })
          // The thread is held while SQLite itself waits; the rest of the patience is spent asleep.
          const busy = Math.min(patience, 250)
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
          return new SqliteStore(database, path, patience, ownership)
        },
        catch: (error) => toStoreFailed(error, path),
      }),
    ),
    (store) => Effect.sync(() => store.close()),
  )
