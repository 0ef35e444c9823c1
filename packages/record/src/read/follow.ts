/** The events of a run that another process may be at work on, as they are recorded. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { StoreFailed, type RunEvent, type RunStore } from "@planloom/plugin"

export interface FollowOptions {
  /** The number of the first event; all from the beginning unless given. */
  readonly from?: number
  /** Milliseconds between two looks. */
  readonly every?: number
  /** Goes on while the run waits for an answer or for somebody to work on it. */
  readonly patient?: boolean
}

interface Place {
  readonly next: number
  readonly revision: string | undefined
  /** When the run was looked at last, in epoch milliseconds: a process that dies writes nothing. */
  readonly lookedAt: number
}

/** A process that has died is noticed after so many milliseconds. */
const ALIVE_EVERY = 1000

/**
 * Ends when the run has ended and, unless `patient`, when it is suspended or nobody is at work on it any more. Can be taken up again from
 * the number after the last one seen.
 */
export const follow = (
  store: RunStore,
  run: string,
  { every = 100, from = 0, patient = false }: FollowOptions = {},
): Stream.Stream<RunEvent, StoreFailed> =>
  Stream.paginate({ next: from, revision: undefined, lookedAt: 0 } as Place, (place) =>
    Effect.gen(function* () {
      if (place.revision !== undefined) yield* Effect.sleep(every)
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const revision = yield* store.revision
      if (revision === place.revision && now - place.lookedAt < ALIVE_EVERY) {
        return [[], Option.some(place)] as const
      }
      // The run first: what it says of its end must not be older than the events.
      const record = yield* store.show(run)
      if (record === undefined) {
        return yield* new StoreFailed({ reason: "missing", message: `there is no run "${run}"` })
      }
      const events = yield* store.events(run, place.next)
      const next = (events.at(-1)?.seq ?? place.next - 1) + 1
      const goesOn = patient
        ? record.finishedAt === undefined
        : record.status === "running" && record.active
      return [
        events,
        goesOn ? Option.some({ next, revision, lookedAt: now }) : Option.none(),
      ] as const
    }),
  )
