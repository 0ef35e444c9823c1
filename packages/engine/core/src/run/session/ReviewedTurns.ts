/** Turns of sessions whose outputs have left and are still reviewed: the next turn in this process waits for their end. */
import * as Effect from "effect/Effect"
import type { SessionStore } from "@planloom/plugin/effect"

const turns = new WeakMap<SessionStore, Map<string, Promise<void>>>()

/** Returns what ends the wait of the next turn. */
export const holdNextTurn = (sessions: SessionStore, session: string): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const known = turns.get(sessions) ?? new Map<string, Promise<void>>()
  turns.set(sessions, known)
  known.set(session, promise)
  return () => {
    if (known.get(session) === promise) known.delete(session)
    resolve()
  }
}

/** Ends with the turn that is reviewed, if there is one; its reviews have time limits. */
export const awaitReviewedTurn = (sessions: SessionStore, session: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const turn = turns.get(sessions)?.get(session)
    return turn === undefined ? Effect.void : Effect.promise(() => turn)
  })
