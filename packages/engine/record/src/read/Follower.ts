/** Reads the events of one run in order: from memory while this process records them, otherwise from the store. */
import * as Effect from "effect/Effect"
import { StoreFailed, type RunEvent, type RunStore } from "@planloom/plugin/effect"
import { isEnd } from "@planloom/core/internal"

export interface FollowOptions {
  /** Sequence number of the first event; 0 unless given. */
  readonly from?: number
  /** Milliseconds between two reads of the store while another process executes the run. */
  readonly every?: number
  /** Whether to continue while the run waits for an answer or for a worker. */
  readonly patient?: boolean
  /** The run is not recorded yet, and is before the first read. */
  readonly isNew?: boolean
}

/** Delay within which a dead process is noticed: it writes no revision. */
const LIVENESS_CHECK_MS = 1000

/** Longest time between two looks at the store for a run that waits. */
const MAX_IDLE_POLL_MS = 2000

/** Events in memory that a slow reader leaves unread; it reads them from the store then. */
const MAX_WAITING_EVENTS = 1024

export class Follower {
  /** Whether the last event has been read. */
  hasEnded = false
  private readonly store: RunStore
  private readonly run: string
  private readonly every: number
  private readonly patient: boolean
  private next: number
  private received: Array<RunEvent> = []
  /** Only the store has what comes next. */
  private isBehind: boolean
  /** This process records the run. */
  private isHere = false
  private revision: string | undefined
  /** Looks at the revision in a row that found the same one. */
  private unchanged = 0
  /** Epoch milliseconds of the last look at the revision, and of the last read of the run. */
  private polledAt: number | undefined
  private readAt = 0
  private resume: (() => void) | undefined
  private isWoken = false
  private readonly stop: (() => void) | undefined

  constructor(
    store: RunStore,
    run: string,
    { every = 100, from = 0, isNew = false, patient = false }: FollowOptions = {},
  ) {
    this.store = store
    this.run = run
    this.every = every
    this.patient = patient
    this.next = from
    this.isBehind = !isNew
    this.stop = store.onRecorded?.(run, (events) => {
      this.isHere = true
      if (this.received.length + events.length > MAX_WAITING_EVENTS) {
        this.received = []
        this.isBehind = true
      } else if (!this.isBehind) this.received.push(...events)
      this.wake()
    })
  }

  /** The events since the last read; without new ones an empty list. */
  readonly read: Effect.Effect<ReadonlyArray<RunEvent>, StoreFailed> = Effect.suspend(() => {
    this.isWoken = false
    if (this.hasEnded) return Effect.succeed([])
    if (this.isBehind) return this.fromStore
    if (this.received.length === 0) return this.poll
    const events = this.received
    this.received = []
    // An event that was recorded before this process received any.
    return events[0]!.seq > this.next ? this.fromStore : Effect.succeed(this.taken(events))
  })

  /** Waits until there may be something to read, at most `ms`. */
  pause(ms: number): Effect.Effect<void> {
    return Effect.suspend(() =>
      this.isWoken
        ? Effect.void
        : Effect.raceFirst(
            Effect.sleep(Math.min(ms, this.interval)),
            Effect.callback<void>((resume) => {
              this.resume = () => resume(Effect.void)
              return Effect.sync(() => {
                this.resume = undefined
              })
            }),
          ),
    )
  }

  /** Ends a pause, or the next one. */
  readonly wake = (): void => {
    this.isWoken = true
    this.resume?.()
  }

  close(): void {
    this.stop?.()
  }

  /** Of a run that waits, for an answer or another process, less and less often: thousands may wait. */
  private get interval(): number {
    if (this.isHere) return LIVENESS_CHECK_MS
    return this.patient ? Math.min(MAX_IDLE_POLL_MS, this.every * (1 + this.unchanged)) : this.every
  }

  private taken(events: ReadonlyArray<RunEvent>): ReadonlyArray<RunEvent> {
    const fresh =
      events[0]!.seq === this.next ? events : events.filter(({ seq }) => seq >= this.next)
    const last = fresh.at(-1)
    if (last === undefined) return []
    this.next = last.seq + 1
    if (isEnd(last)) this.hasEnded = true
    if (last.type === "RunSuspended") {
      // Another process may resume the run.
      this.isHere = false
      this.isBehind ||= !this.patient
    }
    return fresh
  }

  private get poll(): Effect.Effect<ReadonlyArray<RunEvent>, StoreFailed> {
    return Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      this.polledAt ??= this.readAt = now
      if (now - this.polledAt < this.interval) return Effect.succeed([])
      this.polledAt = now
      return Effect.flatMap(this.store.revision, (revision) => {
        const isSame = revision === this.revision
        this.unchanged = isSame ? this.unchanged + 1 : 0
        // A patient reader waits for what is recorded, whether a process is alive or not.
        return isSame && (this.patient || now - this.readAt < LIVENESS_CHECK_MS)
          ? Effect.succeed([])
          : this.fromStore
      })
    })
  }

  private get fromStore(): Effect.Effect<ReadonlyArray<RunEvent>, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      const { run, store } = this
      this.polledAt = this.readAt = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      this.revision = yield* store.revision
      // From here on what is recorded is received, or read below.
      this.isBehind = false
      this.received = []
      // The run first: its status must not be newer than the events read after it.
      const record = yield* store.show(run)
      if (record === undefined) {
        return yield* new StoreFailed({ reason: "missing", message: `there is no run "${run}"` })
      }
      const events = yield* store.events(run, this.next)
      if (events.length > 0) this.next = events.at(-1)!.seq + 1
      // Events that were not received are from another process.
      this.isHere &&= record.active && events.length === 0
      this.hasEnded = this.patient
        ? record.finishedAt !== undefined
        : record.status !== "running" || !record.active
      return events
    })
  }
}
