/** The loop of a worker: polls the store, claims due runs, and tracks those under way. */
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import {
  StoreFailed,
  type CancelRequest,
  type DuePage,
  type JsonObject,
  type RunRecord,
  type RunStore,
} from "@planloom/plugin/effect"
import type { InputsRejected, RunFailed, RunResult } from "@planloom/core"
import { Cancellation } from "@planloom/core"
import { DEFAULT_ATTEMPTS, abandon, isSuspect } from "./abandon.ts"
import { Backoff } from "./Backoff.ts"
import { claim } from "./claim.ts"
import type { EnqueuedRun } from "./enqueue.ts"
import { leaveRuns, type RunUnderWay } from "./leaveRuns.ts"
import { asOnHand, outsideRuns } from "./OnHand.ts"
import { openNew, type StartedRun } from "./openNew.ts"
import type { ReadyWorkflows } from "./ReadyWorkflows.ts"
import { Solo } from "./Solo.ts"
import { Unrecorded, type GivenValues, type UnrecordedValues } from "./Unrecorded.ts"
import { WakeSignal } from "./WakeSignal.ts"
import type { Ended, Worker, WorkerOptions } from "./Worker.ts"

/** Reads of the store's revision per `every`: an answer is noticed sooner than a dead process. */
const POLLS_PER_INTERVAL = 5

/** Fewest due runs in the first page, which is as large as there is room; each further page is twice as large. */
const FIRST_PAGE_RUNS = 4

export class WorkerLoop<E> implements Worker {
  private readonly store: RunStore
  private readonly options: WorkerOptions<E>
  private readonly ready: ReadyWorkflows<E>
  private readonly run: <A, E2>(work: Effect.Effect<A, E2>) => Fiber.Fiber<A, E2>
  private readonly underWay = new Map<string, RunUnderWay>()
  private readonly backoff = new Backoff()
  private readonly unrecorded = new Unrecorded()
  private readonly solo = new Solo()
  private loop: Fiber.Fiber<unknown, unknown> | undefined
  private readonly signal = new WakeSignal()
  /** No run waited when the store was read last, and nothing has been written for this worker since. */
  private isDrained = false
  /** Something has been written for it since the last read began. */
  private hasNews = false
  /** Ids of runs that `start` is about to record. */
  private readonly starting = new Set<string>()
  stopping = false

  constructor(
    store: RunStore,
    options: WorkerOptions<E>,
    ready: ReadyWorkflows<E>,
    context: Context.Context<never>,
  ) {
    this.store = store
    this.options = options
    this.ready = ready
    this.run = Effect.runForkWith(context)
  }

  get atWork(): number {
    return this.underWay.size
  }

  startPolling(): void {
    this.loop = this.run(this.polling)
  }

  readonly wake = (): void => {
    this.hasNews = true
    this.isDrained = false
    this.signal.set()
  }

  readonly give = (run: string, values: GivenValues): void => {
    this.unrecorded.add(run, values)
    this.backoff.release(run)
    this.wake()
  }

  readonly start = (
    enqueued: EnqueuedRun,
    user?: JsonObject,
  ): Effect.Effect<boolean, StoreFailed> =>
    Effect.suspend(() => {
      if (this.isFull || !this.isDrained) return Effect.succeed(false)
      const { run } = enqueued.recorded
      this.starting.add(run)
      const started = Effect.flatMap(openNew(this.store, enqueued), (given) => {
        // Left to the next worker.
        if (this.stopping) return Effect.as(given.opened.close, true)
        this.unrecorded.add(run, { unrecorded: enqueued.unrecorded, user })
        this.take(given.record, new Cancellation(), given)
        return Effect.succeed(true)
      })
      return Effect.uninterruptible(
        Effect.onExitPrimitive(started, () => {
          this.starting.delete(run)
          return undefined
        }),
      )
    })

  readonly cancel = (record: RunRecord, request: CancelRequest) =>
    Effect.flatMap(
      Effect.suspend(() => {
        const here = this.underWay.get(record.run)
        here?.cancellation.ask(request)
        return Fiber.await(here?.fiber ?? this.take(record, new Cancellation(request)))
      }),
      () => this.recordOf(record.run),
    )

  /** Stops. The runs under way become due for other workers. */
  readonly leave: Effect.Effect<void> = Effect.suspend(() => {
    this.stopping = true
    return Effect.andThen(
      this.loop === undefined ? Effect.void : Fiber.interrupt(this.loop),
      Effect.suspend(() => leaveRuns(this.underWay.values(), this.options.drain)),
    )
  })

  private readonly polling: Effect.Effect<never> = Effect.suspend(() => {
    const { every = 1000 } = this.options
    let seen: string | undefined
    let polledAt = Number.NEGATIVE_INFINITY
    const poll = Effect.gen({ self: this }, function* () {
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const revision = yield* this.store.revision
      if (revision === seen && !this.signal.isSet && now - polledAt < every) return
      this.signal.clear()
      // Before the runs: what is written meanwhile is read by the next poll.
      seen = revision
      polledAt = now
      yield* this.claimDue(now)
    })
    return Effect.forever(
      Effect.andThen(
        Effect.catch(poll, (failure) => Effect.sync(() => this.options.onStoreFailure?.(failure))),
        this.signal.pause(every / POLLS_PER_INTERVAL),
      ),
    )
  })

  /** Reads further pages only while the runs read so far are delayed. */
  private claimDue(now: number): Effect.Effect<void, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      this.isDrained = this.hasNews = false
      if (this.isFull) return
      yield* this.endSolo
      this.solo.begin()
      let page: DuePage = { limit: Math.max(FIRST_PAGE_RUNS, this.room) }
      while (this.solo.run === undefined) {
        const due = yield* this.store.due(page)
        for (const record of due) {
          if (this.isFull) return
          this.consider(record, now)
        }
        if (due.length < page.limit) {
          this.solo.end()
          this.isDrained = !this.hasNews && this.solo.run === undefined && !this.solo.isDue(now)
          return
        }
        page = { limit: 2 * page.limit, after: due.at(-1)!.run }
      }
    })
  }

  private get isFull(): boolean {
    return this.stopping || this.room <= 0
  }

  private get room(): number {
    const { concurrency = 4 } = this.options
    return concurrency - this.underWay.size - this.starting.size
  }

  private consider(record: RunRecord, now: number): void {
    const { accepts, attempts = DEFAULT_ATTEMPTS } = this.options
    const { run } = record
    if (accepts?.(record) === false) return
    if (this.underWay.has(run) || this.starting.has(run) || this.backoff.holds(record, now)) return
    if ((record.attemptsWithoutProgress ?? 0) >= attempts) {
      this.follow(record, new Cancellation(), abandon(this.store, record))
      return
    }
    if (this.starting.size > 0 && isSuspect(record)) return
    if (!this.solo.admits(record, this.underWay.values(), now)) return
    if (this.solo.run === run)
      this.solo.watch(this.store.onRecorded?.(run, () => this.signal.set()))
    this.take(record, new Cancellation())
  }

  /** Lets other runs start again once the run that executes alone has recorded a step. */
  private get endSolo(): Effect.Effect<void, StoreFailed> {
    const { run } = this.solo
    return run === undefined
      ? Effect.void
      : Effect.map(this.store.show(run), (record) => {
          if (record?.attemptsWithoutProgress === undefined) this.solo.leave(run)
        })
  }

  private take(
    record: RunRecord,
    cancellation: Cancellation,
    started?: StartedRun,
  ): Fiber.Fiber<unknown, unknown> {
    const { run } = record
    const { definition: unkept, ...given } = this.unrecorded.of(run) ?? {}
    const by = this.unrecorded.takeResumer(run, record.epoch)
    const ready =
      started === undefined
        ? Effect.flatMap(
            unkept === undefined ? this.store.definition(run) : Effect.succeed(unkept),
            (definition) => this.ready.of(definition),
          )
        : Effect.onError(this.ready.of(started.definition), () =>
            Effect.ignore(started.opened.close),
          )
    const work = Effect.scoped(
      Effect.flatMap(outsideRuns(ready), (workflow) =>
        asOnHand(record, (followed) =>
          claim(this.store, record, workflow, {
            ...this.options.options?.(record),
            ...given,
            ...(by === undefined ? {} : { by }),
            ...(started === undefined ? {} : { opened: started.opened }),
            ...followed,
            cancellation,
          }),
        ),
      ),
    )
    return this.follow(record, cancellation, work)
  }

  private follow(
    record: RunRecord,
    cancellation: Cancellation,
    work: Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed | E>,
  ): Fiber.Fiber<unknown, unknown> {
    const { run } = record
    const given = this.unrecorded.of(run)
    const ended = Effect.flatMap(Effect.exit(work), (exit) => this.settle(record, given, exit))
    // Otherwise a run that ends at once would be forgotten before it is known.
    const known = Deferred.makeUnsafe<void>()
    const fiber = this.run(Effect.andThen(Deferred.await(known), ended))
    this.underWay.set(run, { cancellation, fiber, isSuspect: isSuspect(record) })
    Deferred.doneUnsafe(known, Effect.void)
    return fiber
  }

  private settle(
    record: RunRecord,
    given: UnrecordedValues | undefined,
    exit: Ended<E>["exit"],
  ): Effect.Effect<void> {
    // Nothing depends on whether its end could be recorded.
    const isDone = given === undefined && Exit.isSuccess(exit) && exit.value.status === "succeeded"
    return Effect.map(
      Effect.all([
        Effect.clockWith((clock) => clock.currentTimeMillis),
        Effect.exit(isDone ? Effect.undefined : this.store.show(record.run)),
      ]),
      ([now, looked]) => {
        const { run, workflow } = record
        this.underWay.delete(run)
        this.solo.leave(run)
        const after = Exit.isSuccess(looked) ? looked.value : undefined
        // What was given meanwhile may be what it lacked.
        const hasMore = this.unrecorded.of(run) !== given
        if (after?.finishedAt !== undefined) this.unrecorded.delete(run)
        const notBefore = hasMore ? undefined : this.backoff.hold(record, after, exit, now)
        this.options.onEnd?.({
          run,
          workflow,
          exit,
          ...(notBefore === undefined ? {} : { notBefore }),
        })
        const hasEnded = isDone || after?.finishedAt !== undefined
        if (!hasEnded) this.wake()
        else if (!this.isDrained) this.signal.set()
      },
    )
  }

  private recordOf(run: string): Effect.Effect<RunRecord, StoreFailed> {
    return Effect.flatMap(this.store.show(run), (record) =>
      record === undefined
        ? Effect.fail(new StoreFailed({ reason: "missing", message: `there is no run "${run}"` }))
        : Effect.succeed(record),
    )
  }
}
