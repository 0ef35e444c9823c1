/** The journal of one run: answers from the record, and records what happens for the first time. */
import * as Effect from "effect/Effect"
import {
  expiry,
  recordedStep,
  replayed,
  sleepUntil,
  type Answer,
  type Failure,
  type Journal,
  type Json,
  type RecordedStep,
  type StoreFailed,
} from "@planloom/plugin"
import type { Exit } from "effect/Exit"
import type { Bodies } from "./Bodies.ts"
import type { Database, Row } from "./Database.ts"
import type { Recorder } from "./Recorder.ts"
import { timers, waits } from "./sql.ts"
import { toStoreFailed } from "./toStoreFailed.ts"
import { keptWait, type KeptWait } from "./waits.ts"

/** Milliseconds between two tries while another program holds the file. */
const LOOK_EVERY = 100

export interface JournalPlace {
  readonly database: Database
  readonly bodies: Bodies
  readonly path: string
  readonly recorder: Recorder
  readonly id: number
  /** Milliseconds to go on trying while another program holds the file locked. */
  readonly patience: number
}

export const sqliteJournal = (place: JournalPlace): Journal => {
  const { bodies, database, id, path, recorder } = place

  /** What cannot be read or written is the end of the run: it dies. */
  const read = <A>(look: () => A): A => {
    if (recorder.failure !== undefined) throw recorder.failure
    try {
      return look()
    } catch (error) {
      const failure = toStoreFailed(error, path)
      recorder.giveUp(failure)
      throw failure
    }
  }

  const record = (write: () => StoreFailed | undefined): Effect.Effect<void> | undefined => {
    const failure = write()
    return failure === undefined ? undefined : Effect.orDie(persist(place, failure, write))
  }

  const after = <A>(recorded: Effect.Effect<void> | undefined, give: () => A): Effect.Effect<A> =>
    recorded === undefined ? Effect.sync(give) : Effect.map(recorded, give)

  const textOf = (value: unknown) => recorder.text(value as Json)

  /** Records an answer unless there is one; gives the question with the one that stays. */
  const first = <A>(
    name: string,
    { at, by, value }: Answer,
    give: (stays: KeptWait) => A,
  ): Effect.Effect<A> =>
    after(
      record(() => recorder.also(waits.answer, textOf(value), by, at, id, name)),
      () => give(read(() => keptWait(database, id, name))!),
    )

  return {
    step: <A extends Json, E extends Failure, R>(name: string, effect: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E, R> => {
        const known = recorder.isNew(name) ? undefined : read(() => recorder.known(name))
        if (known !== undefined) {
          const outcome = read(() => recordedIn(known, bodies))
          recorder.recorded(name, outcome, (known["body"] as string | null)?.length)
          return replayed(outcome) as Effect.Effect<A, E>
        }
        return Effect.onExitPrimitive(effect, (exit) => {
          const outcome = recordedStep(exit as Exit<Json, Failure>)
          if (outcome === undefined) return undefined
          return record(() => recorder.step(name, outcome))
        })
      }),
    sleep: (name, until) =>
      Effect.suspend(() => {
        const known = read(() => database.get(timers.one, id, name))
        if (known !== undefined) return sleepUntil(Number(known["until"]))
        const recorded = record(() => recorder.change(timers.insert, id, name, until))
        return recorded === undefined
          ? sleepUntil(until)
          : Effect.andThen(recorded, sleepUntil(until))
      }),
    wait: (asked) =>
      Effect.clockWith((clock) => {
        const now = clock.currentTimeMillisUnsafe()
        const kept = read(() => keptWait(database, id, asked.name))
        if (kept === undefined) {
          return after(
            record(() =>
              recorder.change(
                waits.insert,
                id,
                asked.name,
                now,
                textOf(asked),
                asked.expiresAt ?? null,
              ),
            ),
            () => ({ wait: asked }),
          )
        }
        const expired = kept.answer === undefined ? expiry(kept.wait, now) : undefined
        return expired === undefined
          ? Effect.succeed(kept)
          : first(kept.wait.name, expired, (stays) => stays)
      }),
    answer: (name, answer) => first(name, answer, (stays) => stays.answer!),
    lasting: true,
    event: (event) => recorder.event(event),
  }
}

/** Tries again while another program holds the file, for as long as patience lasts; then gives up for good. */
export const persist = (
  { patience, recorder }: Pick<JournalPlace, "patience" | "recorder">,
  failure: StoreFailed,
  write: () => StoreFailed | undefined,
): Effect.Effect<void, StoreFailed> => {
  const deadline = performance.now() + patience
  const again = (last: StoreFailed): Effect.Effect<void, StoreFailed> => {
    if (last.reason !== "locked" || performance.now() > deadline) {
      recorder.giveUp(last)
      return Effect.fail(last)
    }
    return Effect.flatMap(Effect.sleep(LOOK_EVERY), () => {
      const next = write()
      return next === undefined ? Effect.void : again(next)
    })
  }
  return again(failure)
}

/** A row of `steps` as the outcome it holds. */
export const recordedIn = (row: Row, bodies: Bodies): RecordedStep => {
  const content = bodies.ofRow(row)
  return row["ok"] === 1
    ? { ok: true, value: content }
    : { ok: false, ...(content as unknown as Omit<RecordedStep & { ok: false }, "ok">) }
}
