/** Loads a session for its next turn, once the turn before is saved. */
import * as Effect from "effect/Effect"
import type { Json, SessionStore } from "@planloom/plugin/effect"
import { stillOpen } from "./refusedTurn.ts"
import { awaitReviewedTurn } from "./ReviewedTurns.ts"
import { neverOpened, type Opened } from "./sessionView.ts"

/** Milliseconds between two reads while another process reviews the turn before. */
const READ_EVERY_MS = 100
const NANOS_PER_MS = 1e6

/** Fails while a run of the session waits for an answer, which this turn might be. */
export const loadSession = (sessions: SessionStore, session: string, run: string) =>
  Effect.gen(function* () {
    yield* awaitReviewedTurn(sessions, session)
    const unreviewed = yield* awaitAnnounced(sessions, session, run)
    const missing = unreviewed === undefined ? {} : { unreviewed }
    const waiting = yield* Effect.orDie(sessions.waiting(session))
    if (waiting !== undefined) return yield* Effect.fail(stillOpen(session, waiting))
    const known = yield* Effect.orDie(sessions.load(session))
    if (known === undefined) return { ...neverOpened, ...missing }
    const { entities = [], state, summary = "", turns, version } = known
    return {
      ...missing,
      version,
      after: known.run,
      summary,
      turns: turns as unknown as ReadonlyArray<Json>,
      entities,
      state,
    } satisfies Opened
  })

/**
 * Waits as long as a live process may still save a turn, and at most as long as that turn may take. Returns the run of a
 * turn that is not saved. The time counts from the first read: clocks of two processes are never compared.
 */
const awaitAnnounced = (sessions: SessionStore, session: string, run: string) =>
  Effect.clockWith((clock) => {
    const now = () => Number(clock.monotonicTimeNanosUnsafe()) / NANOS_PER_MS
    const check = (until: number): Effect.Effect<string | undefined> =>
      Effect.flatMap(Effect.orDie(sessions.announced(session)), (announced) => {
        const turns = announced.filter((turn) => turn.run !== run)
        const longest = Math.max(0, ...turns.map(({ active, ms }) => (active ? ms : 0)))
        const end = Math.min(until, now() + longest)
        const left = end - now()
        return left <= 0
          ? Effect.succeed(turns.at(-1)?.run)
          : Effect.delay(
              Effect.suspend(() => check(end)),
              Math.min(left, READ_EVERY_MS),
            )
      })
    return check(Infinity)
  })
