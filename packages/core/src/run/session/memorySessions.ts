/** A session store in memory, for hosts without a run store. */
import * as Effect from "effect/Effect"
import type { SessionRecord, SessionSaved, SessionStore } from "@planloom/plugin/effect"

export const memorySessions = (): SessionStore => {
  const sessions = new Map<string, SessionRecord>()
  const kept = new Map<string, SessionSaved>()
  return {
    load: (session) => Effect.sync(() => sessions.get(session)),
    // A run without a record cannot wait.
    waiting: () => Effect.undefined,
    save: (session, { after, at, run, state, turns, workflow }) =>
      Effect.sync((): SessionSaved => {
        const before = kept.get(run)
        if (before !== undefined) return before
        const known = sessions.get(session)
        const version = known?.version ?? 0
        if (known?.run !== after) return { saved: false, version, run: known?.run }
        const next = version + 1
        sessions.delete(session)
        sessions.set(session, {
          session,
          workflow,
          version: next,
          turns,
          state,
          run,
          updatedAt: at,
        })
        const saved = { saved: true, version: next } as const
        kept.set(run, saved)
        return saved
      }),
    list: (limit = Infinity) =>
      Effect.sync(() => [...sessions.values()].toReversed().slice(0, limit)),
    clear: (session) => Effect.sync(() => sessions.delete(session)),
    prune: (before) =>
      Effect.sync(() => {
        const old = [...sessions.values()].filter(({ updatedAt }) => updatedAt < before)
        for (const { session } of old) sessions.delete(session)
        return old.map(({ session }) => session)
      }),
  }
}
