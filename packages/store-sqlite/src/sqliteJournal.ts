/** The journal of one run: answers from the record, and records what happens for the first time. */
import * as Effect from "effect/Effect"
import {
  recordedStep,
  replayed,
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
import { signals, steps, timers } from "./sql.ts"
import { toStoreFailed } from "./toStoreFailed.ts"

/** Milliseconds between two looks for an answer that may come from another process. */
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

  return {
    step: <A extends Json, E extends Failure, R>(name: string, effect: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E, R> => {
        const known = read(() => database.get(steps.one, id, name))
        if (known !== undefined) {
          return replayed(read(() => recordedIn(known, bodies))) as Effect.Effect<A, E>
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
    signal: (name) => {
      const look: Effect.Effect<Json> = Effect.suspend(() => {
        const found = read(() => database.get(signals.one, id, name))
        return found === undefined
          ? Effect.flatMap(Effect.sleep(LOOK_EVERY), () => look)
          : Effect.succeed(JSON.parse(found["body"] as string) as Json)
      })
      return look
    },
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
  const content = bodies.read(row as unknown as Parameters<Bodies["read"]>[0])
  return row["ok"] === 1
    ? { ok: true, value: content }
    : { ok: false, ...(content as unknown as Omit<RecordedStep & { ok: false }, "ok">) }
}

const sleepUntil = (until: number): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.clockWith((clock) => clock.currentTimeMillis),
    (now) => (until > now ? Effect.sleep(until - now) : Effect.void),
  )
