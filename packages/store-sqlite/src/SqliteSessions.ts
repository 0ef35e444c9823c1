/** Sessions, stored in the file of the runs that are their turns. */
import type { Effect } from "effect/Effect"
import type {
  SessionChange,
  SessionRecord,
  SessionSaved,
  SessionStore,
  StoreFailed,
} from "@planloom/plugin/effect"
import type { Database, Row } from "./Database.ts"
import { sessions } from "./sql.ts"
import { storeFailed } from "./toStoreFailed.ts"

/** Runs work on the database and retries while another program holds its lock. */
type RetryLocked = <A>(work: () => A) => Effect<A, StoreFailed>

export const sqliteSessions = (
  database: Database,
  path: string,
  retryLocked: RetryLocked,
): SessionStore => ({
  load: (session) =>
    retryLocked(() => {
      const row = database.get(sessions.one, session)
      return row === undefined ? undefined : toSessionRecord(row)
    }),
  waiting: (session) =>
    retryLocked(() => database.get(sessions.waiting, session)?.["run"] as string | undefined),
  save: (session, change) =>
    retryLocked(() => database.transaction(() => save(database, path, session, change))),
  list: (limit = Number.MAX_SAFE_INTEGER) =>
    retryLocked(() => database.all(sessions.list, limit).map(toSessionRecord)),
  clear: (session) => retryLocked(() => database.run(sessions.clear, session) > 0),
  prune: (before) =>
    retryLocked(() => database.all(sessions.prune, before).map(({ session }) => session as string)),
})

const save = (
  database: Database,
  path: string,
  session: string,
  { after, at, epoch, run, state, turns, workflow }: SessionChange,
): SessionSaved => {
  const owner = database.get(sessions.runOf, run)
  if (owner !== undefined) {
    if (epoch !== undefined && Number(owner["epoch"]) !== epoch) throw storeFailed("fenced", path)
    const kept = owner["version"]
    if (typeof kept === "number") return { saved: true, version: kept }
  }
  const known = database.get(sessions.one, session)
  const version = Number(known?.["version"] ?? 0)
  const last = known?.["run"] as string | undefined
  // A run recorded elsewhere is recognized if it is the session's last.
  if (owner === undefined && last === run) return { saved: true, version }
  if (last !== after) return { saved: false, version, run: last }
  const next = version + 1
  database.run(sessions.save, session, workflow, next, JSON.stringify({ turns, state }), run, at)
  if (owner !== undefined) database.run(sessions.kept, Number(owner["id"]), session, next)
  return { saved: true, version: next }
}

const toSessionRecord = (row: Row): SessionRecord => ({
  session: row["session"] as string,
  workflow: row["workflow"] as string,
  version: Number(row["version"]),
  ...(JSON.parse(row["body"] as string) as Pick<SessionRecord, "turns" | "state">),
  run: row["run"] as string,
  updatedAt: Number(row["updated_at"]),
})
