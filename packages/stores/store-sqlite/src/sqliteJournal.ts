/** The journal of one run: replays recorded outcomes and records new ones. */
import * as Effect from "effect/Effect"
import {
  expiredAnswer,
  journalStep,
  sleepUntil,
  type Answer,
  type Journal,
  type Json,
  type RecordedStep,
  type StoreFailed,
} from "@planloom/plugin/effect"
import type { Bodies } from "./Bodies.ts"
import type { Database, Row } from "./Database.ts"
import type { Recorder } from "./Recorder.ts"
import { timers, waits } from "./sql.ts"
import { toStoreFailed } from "./toStoreFailed.ts"
import { findWait, type WaitState } from "./run/waits.ts"

/** Interval of retries while another program holds the lock. */
const RETRY_INTERVAL_MS = 100

export interface JournalContext {
  readonly database: Database
  readonly bodies: Bodies
  readonly path: string
  readonly recorder: Recorder
  readonly id: number
  /** Milliseconds to retry while another program holds the lock. */
  readonly lockTimeout: number
}

export const sqliteJournal = (context: JournalContext): Journal => {
  const { bodies, database, id, path, recorder } = context

  /** Reads from the file; a failure ends the run as a defect. */
  const read = <A>(look: () => A): A => {
    if (recorder.failure !== undefined) throw recorder.failure
    try {
      return look()
    } catch (error) {
      const failure = toStoreFailed(error, path)
      recorder.fail(failure)
      throw failure
    }
  }

  const written = (write: () => StoreFailed | undefined): Effect.Effect<void> | undefined => {
    const failure = write()
    return failure === undefined
      ? undefined
      : Effect.orDie(retryWhileLocked(context, failure, write))
  }

  const after = <A>(recorded: Effect.Effect<void> | undefined, value: () => A): Effect.Effect<A> =>
    recorded === undefined ? Effect.sync(value) : Effect.map(recorded, value)

  const textOf = (value: unknown) => recorder.text(value as Json)

  /** Records an answer unless the question has one; passes the question with its final answer on. */
  const first = <A>(
    name: string,
    { at, by, value, via = null }: Omit<Answer, "via"> & { readonly via?: string | null },
    use: (state: WaitState) => A,
  ): Effect.Effect<A> =>
    after(
      written(() => recorder.writeShared(waits.answer, textOf(value), by, at, via, id, name)),
      () => use(read(() => findWait(database, id, name))!),
    )

  const lookup: Journal["lookup"] = (name) =>
    Effect.sync(() => {
      const known = recorder.isNew(name) ? undefined : read(() => recorder.findStep(name))
      if (known === undefined) return undefined
      const outcome = read(() => readOutcome(known, bodies))
      recorder.recorded(name, outcome, (known["body"] as string | null)?.length)
      return outcome
    })

  const record: Journal["record"] = (name, outcome) =>
    Effect.suspend(() => written(() => recorder.step(name, outcome)) ?? Effect.void)

  return {
    lookup,
    record,
    step: journalStep({ lookup, record }),
    sleep: (name, until) =>
      Effect.suspend(() => {
        const known = read(() => database.get(timers.one, id, name))
        if (known !== undefined) return sleepUntil(Number(known["until"]))
        const recorded = written(() => recorder.writeAsOwner(timers.insert, id, name, until))
        return recorded === undefined
          ? sleepUntil(until)
          : Effect.andThen(recorded, sleepUntil(until))
      }),
    wait: (question) =>
      Effect.clockWith((clock) => {
        const now = clock.currentTimeMillisUnsafe()
        const kept = read(() => findWait(database, id, question.name))
        if (kept === undefined) {
          return after(
            written(() =>
              recorder.writeAsOwner(
                waits.insert,
                id,
                question.name,
                now,
                textOf(question),
                question.expiresAt ?? null,
              ),
            ),
            () => ({ wait: question }),
          )
        }
        const expired = kept.answer === undefined ? expiredAnswer(kept.wait, now) : undefined
        return expired === undefined
          ? Effect.succeed(kept)
          : first(kept.wait.name, expired, (state) => state)
      }),
    answer: (name, answer) => first(name, answer, (state) => state.answer!),
    lasting: true,
    event: (event) => recorder.event(event),
  }
}

/** Retries while another program holds the lock, for at most `lockTimeout`; then the recorder fails for good. */
export const retryWhileLocked = (
  { lockTimeout, recorder }: Pick<JournalContext, "lockTimeout" | "recorder">,
  failure: StoreFailed,
  write: () => StoreFailed | undefined,
): Effect.Effect<void, StoreFailed> => {
  const deadline = performance.now() + lockTimeout
  const again = (last: StoreFailed): Effect.Effect<void, StoreFailed> => {
    if (last.reason !== "locked" || performance.now() > deadline) {
      recorder.fail(last)
      return Effect.fail(last)
    }
    return Effect.flatMap(Effect.sleep(RETRY_INTERVAL_MS), () => {
      const next = write()
      return next === undefined ? Effect.void : again(next)
    })
  }
  return again(failure)
}

/** The outcome in a row of `steps`. */
export const readOutcome = (row: Row, bodies: Bodies): RecordedStep => {
  const content = bodies.ofRow(row)
  return row["ok"] === 1
    ? { ok: true, value: content }
    : { ok: false, ...(content as unknown as Omit<RecordedStep & { ok: false }, "ok">) }
}
