/** A session store in memory, for hosts without a run store. */
import * as Effect from "effect/Effect"
import {
  nextSession,
  type SessionRecord,
  type SessionSaved,
  type SessionStore,
} from "@planloom/plugin/effect"

/** Saved runs that are remembered: a run that saves again does so right after its first save. */
const MAX_REMEMBERED_RUNS = 1000

/** `records` are those that it holds from the start. */
export const memorySessions = (records: ReadonlyArray<SessionRecord> = []): SessionStore => {
  const sessions = new Map(records.map((record) => [record.session, record]))
  const kept = new Map<string, SessionSaved>()
  return {
    load: (session) => Effect.sync(() => sessions.get(session)),
    // A run without a record cannot wait.
    waiting: () => Effect.undefined,
    // No other process shares the sessions.
    announce: () => Effect.void,
    announced: () => Effect.succeed([]),
    save: (session, change) =>
      Effect.sync((): SessionSaved => {
        const { after, run } = change
        const before = kept.get(run)
        if (before !== undefined) return before
        const known = sessions.get(session)
        if (known?.run !== after) {
          return { saved: false, version: known?.version ?? 0, run: known?.run }
        }
        const next = nextSession(session, known, change)
        sessions.delete(session)
        sessions.set(session, next)
        const saved = { saved: true, version: next.version } as const
        kept.set(run, saved)
        if (kept.size > MAX_REMEMBERED_RUNS) kept.delete(kept.keys().next().value!)
        return saved
      }),
    list: ({ limit = Infinity, userDigest } = {}) =>
      Effect.sync(() =>
        [...sessions.values()]
          .toReversed()
          .filter(
            ({ userDigests = [] }) => userDigest === undefined || userDigests.includes(userDigest),
          )
          .slice(0, limit),
      ),
    clear: (session) => Effect.sync(() => sessions.delete(session)),
    prune: (before) =>
      Effect.sync(() => {
        const old = [...sessions.values()].filter(({ updatedAt }) => updatedAt < before)
        for (const { session } of old) sessions.delete(session)
        return old.map(({ session }) => session)
      }),
  }
}
