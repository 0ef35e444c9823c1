/** An in-process database that can open one set of files and nothing else. */
import { totalmem } from "node:os"
import type { DuckDBInstance } from "@duckdb/node-api"
import { missingPackage } from "@planloom/plugin/late"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { failed, type DataFailed } from "../DataFailed.ts"
import { text } from "../table/sql.ts"
import { remove, spillFolder } from "./spill.ts"

export interface Session {
  readonly instance: DuckDBInstance
  /** Names of materialized results, least recently used first. */
  readonly kept: Map<string, true>
  /** Serializes materialization. */
  readonly keeping: Semaphore.Semaphore
  readonly close: () => void
}

/** Sessions stay open for reuse; the least recently used one closes first. */
const MAX_SESSIONS = 4
const sessions = new Map<string, Session & { users: number }>()
const opening = Semaphore.makeUnsafe(1)

/** A gibibyte, or half of a smaller machine; beyond it DuckDB works on disk. */
const memoryLimit = (): string =>
  `${Math.floor(Math.min(1024 ** 3, totalmem() / 2) / 1024 ** 2)}MiB`

const open = async (files: ReadonlyArray<string>): Promise<Session & { users: number }> => {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const spill = spillFolder()
  const settings = [
    `allowed_paths=[${files.map(text).join(", ")}]`,
    `temp_directory=${text(spill)}`,
    `memory_limit=${text(memoryLimit())}`,
    "TimeZone='UTC'",
    "autoinstall_known_extensions=false",
    "autoload_known_extensions=false",
    "allow_community_extensions=false",
    // Must be last: a running database does not allow changing this setting or the paths afterwards.
    "enable_external_access=false",
  ]
  const close = (): void => {
    instance.closeSync()
    remove(spill)
  }
  try {
    for (const setting of settings) await connection.run(`SET ${setting}`)
  } catch (error) {
    close()
    throw error
  } finally {
    connection.closeSync()
  }
  return { instance, kept: new Map(), keeping: Semaphore.makeUnsafe(1), close, users: 0 }
}

const evict = (): void => {
  for (const [key, session] of sessions) {
    if (sessions.size <= MAX_SESSIONS) return
    if (session.users > 0) continue
    sessions.delete(key)
    session.close()
  }
}

/** Closes every idle session and removes its files. */
export const closeSessions = (): void => {
  for (const [key, session] of sessions) {
    if (session.users > 0) continue
    sessions.delete(key)
    session.close()
  }
}

let watching = false

const acquire = (
  files: ReadonlyArray<string>,
): Effect.Effect<Session & { users: number }, DataFailed> =>
  opening.withPermit(
    Effect.tryPromise({
      try: async () => {
        const key = JSON.stringify(files)
        const session = sessions.get(key) ?? (await open(files))
        session.users++
        sessions.delete(key)
        sessions.set(key, session)
        evict()
        if (!watching) process.once("exit", closeSessions)
        watching = true
        return session
      },
      catch: (error) =>
        failed(
          missingPackage("@duckdb/node-api", error) ??
            `DuckDB cannot start: ${(error as Error).message}`,
        ),
    }),
  )

/** Runs work on a database that can open only these files (absolute paths, symbolic links resolved). */
export const withSession = <A, R>(
  files: ReadonlyArray<string>,
  work: (session: Session) => Effect.Effect<A, DataFailed, R>,
): Effect.Effect<A, DataFailed, R> =>
  Effect.acquireUseRelease(acquire([...new Set(files)].toSorted()), work, (session) =>
    Effect.sync(() => {
      session.users--
      evict()
    }),
  )
