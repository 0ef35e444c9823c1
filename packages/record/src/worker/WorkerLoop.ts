/** The worker's own bookkeeping: what it looks for, what is under way, what is left alone, what was given to it. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as RcMap from "effect/RcMap"
import {
  StoreFailed,
  type CancelRequest,
  type DuePage,
  type JsonObject,
  type RunRecord,
  type RunStore,
} from "@planloom/plugin"
import type { InputsRejected, RunFailed, RunResult } from "@planloom/core"
import { Cancellation } from "@planloom/core"
import { ATTEMPTS, abandon, isDoubtful } from "./abandon.ts"
import { Backoff } from "./Backoff.ts"
import { claim, type Ready } from "./claim.ts"
import type { Ended, Worker, WorkerOptions } from "./Worker.ts"

/** Looks at the store's revision so many times in `every`: an answer is noticed sooner than a death. */
const LOOKS = 5

/** Runs read first, twice as many the next time. */
const PAGE = 16

export class WorkerLoop<E> implements Worker {
  private readonly store: RunStore
  private readonly options: WorkerOptions<E>
  private readonly ready: RcMap.RcMap<string, Ready, E>
  private readonly run: <A, E2>(work: Effect.Effect<A, E2>) => Fiber.Fiber<A, E2>
  private readonly underWay = new Map<
    string,
    { readonly cancellation: Cancellation; readonly fiber: Fiber.Fiber<unknown, unknown> }
  >()
  private readonly backoff = new Backoff()
  private readonly given = new Map<string, JsonObject>()
  /** The run that nothing else is begun beside, because it may be what has killed others. */
  private alone: string | undefined
  private loop: Fiber.Fiber<unknown, unknown> | undefined
  private woken = false
  private sleeper: (() => void) | undefined
  stopping = false

  constructor(
    store: RunStore,
    options: WorkerOptions<E>,
    ready: RcMap.RcMap<string, Ready, E>,
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

  start(): void {
    this.loop = this.run(this.looking)
  }

  readonly wake = (): void => {
    this.woken = true
    this.sleeper?.()
  }

  readonly give = (run: string, inputs: JsonObject): void => {
    if (Object.keys(inputs).length > 0) this.given.set(run, { ...this.given.get(run), ...inputs })
    this.backoff.release(run)
    this.wake()
  }

  readonly cancel = (record: RunRecord, request: CancelRequest) =>
    Effect.flatMap(
      Effect.suspend(() => {
        const here = this.underWay.get(record.run)
        here?.cancellation.ask(request)
        return Fiber.await(here?.fiber ?? this.take(record, new Cancellation(request)))
      }),
      () => this.recordOf(record.run),
    )

  /** Runs that are left have nobody at work on them and are due. */
  readonly leave: Effect.Effect<void> = Effect.suspend(() => {
    this.stopping = true
    const fibers = [...this.underWay.values()].map(({ cancellation, fiber }) => {
      cancellation.leave()
      return fiber
    })
    return Effect.andThen(
      this.loop === undefined ? Effect.void : Fiber.interrupt(this.loop),
      Fiber.awaitAll(fibers),
    )
  })

  private readonly looking: Effect.Effect<never> = Effect.suspend(() => {
    const { every = 1000 } = this.options
    let seen: string | undefined
    let lookedAt = Number.NEGATIVE_INFINITY
    const look = Effect.gen({ self: this }, function* () {
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const revision = yield* this.store.revision
      if (revision === seen && !this.woken && now - lookedAt < every) return
      this.woken = false
      // Before the runs: what is written meanwhile is seen the next time.
      seen = revision
      lookedAt = now
      yield* this.claimDue(now)
    })
    return Effect.forever(
      Effect.andThen(
        Effect.catch(look, (failure) => Effect.sync(() => this.options.onTrouble?.(failure))),
        this.pause(every / LOOKS),
      ),
    )
  })

  private pause(ms: number): Effect.Effect<void> {
    return Effect.raceFirst(
      Effect.sleep(ms),
      Effect.callback<void>((over) => {
        if (this.woken) return over(Effect.void)
        this.sleeper = () => over(Effect.void)
        return Effect.sync(() => {
          this.sleeper = undefined
        })
      }),
    )
  }

  /** Reads no more of what waits than it can begin, and more only where the first runs are held back. */
  private claimDue(now: number): Effect.Effect<void, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      if (this.isFull) return
      yield* this.relieve
      let page: DuePage = { limit: PAGE }
      while (this.alone === undefined) {
        const due = yield* this.store.due(page)
        for (const record of due) {
          if (this.isFull) return
          this.consider(record, now)
        }
        if (due.length < page.limit) return
        page = { limit: 2 * page.limit, after: due.at(-1)!.run }
      }
    })
  }

  private get isFull(): boolean {
    const { concurrency = 4 } = this.options
    return this.stopping || this.underWay.size >= concurrency
  }

  private consider(record: RunRecord, now: number): void {
    const { attempts = ATTEMPTS } = this.options
    if (this.underWay.has(record.run) || this.backoff.holds(record, now)) return
    if ((record.fruitless ?? 0) >= attempts) {
      this.follow(record, new Cancellation(), abandon(this.store, record))
      return
    }
    const doubtful = isDoubtful(record)
    if (this.alone !== undefined || (doubtful && this.underWay.size > 0)) return
    if (doubtful) this.alone = record.run
    this.take(record, new Cancellation())
  }

  /** A run that has recorded a step is beyond doubt. */
  private get relieve(): Effect.Effect<void, StoreFailed> {
    const { alone } = this
    return alone === undefined
      ? Effect.void
      : Effect.map(this.store.show(alone), (record) => {
          if (record?.fruitless === undefined && this.alone === alone) this.alone = undefined
        })
  }

  private take(record: RunRecord, cancellation: Cancellation): Fiber.Fiber<unknown, unknown> {
    const { run } = record
    const inputs = this.given.get(run)
    const work = Effect.scoped(
      Effect.gen({ self: this }, function* () {
        const definition = yield* this.store.definition(run)
        const key = definition === undefined ? "" : JSON.stringify(definition)
        return yield* claim(this.store, record, yield* RcMap.get(this.ready, key), {
          ...this.options.options?.(record),
          ...(inputs === undefined ? {} : { inputs }),
          cancellation,
        })
      }),
    )
    return this.follow(record, cancellation, work)
  }

  private follow(
    record: RunRecord,
    cancellation: Cancellation,
    work: Effect.Effect<RunResult, RunFailed | InputsRejected | StoreFailed | E>,
  ): Fiber.Fiber<unknown, unknown> {
    const { run } = record
    const inputs = this.given.get(run)
    const ended = Effect.flatMap(Effect.exit(work), (exit) => this.settle(record, inputs, exit))
    // The fiber may end before it is known here.
    const fiber = this.run(Effect.andThen(Effect.yieldNow, ended))
    this.underWay.set(run, { cancellation, fiber })
    return fiber
  }

  private settle(
    record: RunRecord,
    inputs: JsonObject | undefined,
    exit: Ended<E>["exit"],
  ): Effect.Effect<void> {
    return Effect.map(
      Effect.all([
        Effect.clockWith((clock) => clock.currentTimeMillis),
        Effect.exit(this.store.show(record.run)),
      ]),
      ([now, looked]) => {
        const { run, workflow } = record
        this.underWay.delete(run)
        if (this.alone === run) this.alone = undefined
        const after = Exit.isSuccess(looked) ? looked.value : undefined
        // What has been given meanwhile may be what it lacked.
        const changed = this.given.get(run) !== inputs
        if (after?.finishedAt !== undefined) this.given.delete(run)
        const notBefore = changed ? undefined : this.backoff.hold(record, after, exit, now)
        this.options.onEnd?.({
          run,
          workflow,
          exit,
          ...(notBefore === undefined ? {} : { notBefore }),
        })
        this.wake()
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
