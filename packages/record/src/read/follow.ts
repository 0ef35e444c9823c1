/** Streams the recorded events of a run while another process executes it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { StoreFailed, type RunEvent, type RunStore } from "@planloom/plugin/effect"

export interface FollowOptions {
  /** Sequence number of the first event; 0 unless given. */
  readonly from?: number
  /** Milliseconds between two reads of the store. */
  readonly every?: number
  /** Whether the stream stays open while the run waits for an answer or for a worker. */
  readonly patient?: boolean
}

interface Cursor {
  readonly next: number
  readonly revision: string | undefined
  /** Epoch milliseconds of the last read of the run: a process that dies writes no revision. */
  readonly lookedAt: number
}

/** Delay within which a dead process is noticed. */
const LIVENESS_CHECK_MS = 1000

/**
 * Ends when the run has ended and, unless `patient`, when it is suspended or no process owns it any more. To continue
 * later, pass the number after the last event seen as `from`.
 */
export const follow = (
  store: RunStore,
  run: string,
  { every = 100, from = 0, patient = false }: FollowOptions = {},
): Stream.Stream<RunEvent, StoreFailed> =>
  Stream.paginate({ next: from, revision: undefined, lookedAt: 0 } as Cursor, (cursor) =>
    Effect.gen(function* () {
      if (cursor.revision !== undefined) yield* Effect.sleep(every)
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const revision = yield* store.revision
      if (revision === cursor.revision && now - cursor.lookedAt < LIVENESS_CHECK_MS) {
        return [[], Option.some(cursor)] as const
      }
      // The run first: its status must not be newer than the events read after it.
      const record = yield* store.show(run)
      if (record === undefined) {
        return yield* new StoreFailed({ reason: "missing", message: `there is no run "${run}"` })
      }
      const events = yield* store.events(run, cursor.next)
      const next = (events.at(-1)?.seq ?? cursor.next - 1) + 1
      const isOpen = patient
        ? record.finishedAt === undefined
        : record.status === "running" && record.active
      return [
        events,
        isOpen ? Option.some({ next, revision, lookedAt: now }) : Option.none(),
      ] as const
    }),
  )
