/** Sessions, stored in the file of the runs that are their turns. */
import type { Effect } from "effect/Effect"
import type {
  SessionChange,
  SessionRecord,
  SessionSaved,
  SessionStore,
  StoreFailed,
} from "@planloom/plugin/effect"
import { nextSession } from "@planloom/plugin/store"
import type { Database, Row } from "./Database.ts"
import type { Ownership } from "./owner/Ownership.ts"
import { sessions } from "./sql.ts"
import { storeFailed } from "./toStoreFailed.ts"

/** Runs work on the database and retries while another program holds its lock. */
type RetryLocked = <A>(work: () => A) => Effect<A, StoreFailed>

export const sqliteSessions = (
  database: Database,
  path: string,
  ownership: Ownership,
  retryLocked: RetryLocked,
): SessionStore => ({
  load: (session) =>
    retryLocked(() => {
      const row = database.get(sessions.one, session)
      return row === undefined ? undefined : toSessionRecord(row)
    }),
  waiting: (session) =>
    retryLocked(() => database.get(sessions.waiting, session)?.["run"] as string | undefined),
  announce: (session, { epoch, ms, run, version }) =>
    retryLocked(() => void database.run(sessions.announce, ms, version, session, run, epoch)),
  announced: (session) =>
    retryLocked(() =>
      database.all(sessions.announced, session).map((row) => ({
        run: row["run"] as string,
        epoch: Number(row["epoch"]),
        version: Number(row["review_version"]),
        ms: Number(row["review_ms"]),
        active: ownership.isActive(row),
      })),
    ),
  save: (session, change) =>
    retryLocked(() => database.transaction(() => save(database, path, session, change))),
  list: ({ limit = Number.MAX_SAFE_INTEGER, userDigest = null } = {}) =>
    retryLocked(() =>
      database.all(sessions.list, userDigest, userDigest, limit).map(toSessionRecord),
    ),
  clear: (session) => retryLocked(() => database.run(sessions.clear, session) > 0),
  prune: (before) =>
    retryLocked(() => database.all(sessions.prune, before).map(({ session }) => session as string)),
})

const save = (
  database: Database,
  path: string,
  session: string,
  change: SessionChange,
): SessionSaved => {
  const { after, epoch, run } = change
  const owner = database.get(sessions.runOf, run)
  if (owner !== undefined) {
    if (epoch !== undefined && Number(owner["epoch"]) !== epoch) throw storeFailed("fenced", path)
    const kept = owner["version"]
    if (typeof kept === "number") return { saved: true, version: kept }
  }
  const row = database.get(sessions.one, session)
  const known = row && toSessionRecord(row)
  const version = known?.version ?? 0
  // A run recorded elsewhere is recognized if it is the session's last.
  if (owner === undefined && known?.run === run) return { saved: true, version }
  if (known?.run !== after) return { saved: false, version, run: known?.run }
  const next = nextSession(session, known, change)
  const { entities, state, summary, turns, updatedAt, userDigests, workflow } = next
  const body = JSON.stringify({ summary, turns, state, entities, userDigests })
  database.run(sessions.save, session, workflow, next.version, body, run, updatedAt)
  if (owner !== undefined) database.run(sessions.kept, Number(owner["id"]), session, next.version)
  return { saved: true, version: next.version }
}

type Body = Pick<SessionRecord, "summary" | "turns" | "state" | "entities" | "userDigests">

const toSessionRecord = (row: Row): SessionRecord => ({
  session: row["session"] as string,
  workflow: row["workflow"] as string,
  version: Number(row["version"]),
  ...(JSON.parse(row["body"] as string) as Body),
  run: row["run"] as string,
  updatedAt: Number(row["updated_at"]),
})
