/** Cancels a run on request: steps under way may finish first, no new step starts. */
import * as Effect from "effect/Effect"
import type { Fiber } from "effect/Fiber"
import { CountingScheduler } from "./CountingScheduler.ts"
import type { CancelRequest, Failure, Journal, Json, OpenedRun } from "@planloom/plugin/effect"
import { isBelow, occurrenceOf } from "@planloom/plugin/segments"

/** A replay without effects: no step starts after the end of the record. */
export interface Replay {
  /** Called with each step that the record lacks. */
  readonly held: (name: string) => void
  readonly endings: number
}

export class Cancellation {
  private request: CancelRequest | undefined
  /** Names of steps that execute now, rather than being answered from the record. */
  private readonly underWay = new Set<string>()
  /** Names of steps that were not started because of the request. */
  private readonly held = new Set<string>()
  private worker: Fiber<unknown, unknown> | undefined
  private scheduler: CountingScheduler | undefined
  private over = false
  private leaving = false
  private isReviewed = false
  private readonly replay: Replay | undefined

  /** With a request from the start, the run only replays its record. */
  constructor(request?: CancelRequest, replay?: Replay) {
    this.request = request
    this.replay = replay
  }

  /** Undefined unless a request was made before the work was done. */
  get reason(): string | undefined {
    return this.request?.reason
  }

  readonly ask = (request: CancelRequest): void => {
    if (this.over || this.request?.mode === "now") return
    this.request = request
    this.leaving = false
    this.look()
  }

  /**
   * Lets steps under way finish and be recorded, or interrupts them (`now`), then leaves the run as if the process had
   * died: no `finally`, no end. Has no effect on a run that is being cancelled.
   */
  leave(mode: CancelRequest["mode"] = "after"): void {
    if (this.over || (this.request !== undefined && !this.leaving)) return
    this.request = { mode, reason: "left" }
    this.leaving = true
    this.look()
  }

  /** The outputs have left, and only later reviews remain: a process that leaves the run after its steps lets it end. */
  review(): void {
    this.isReviewed = true
  }

  /** Whether the run was left, so that no end may be emitted. */
  get left(): boolean {
    return this.leaving && !this.over
  }

  /** Lets steps start again, for `finally`. A replay without effects starts none. */
  release(): void {
    this.over = !this.replays
  }

  get replays(): boolean {
    return this.replay !== undefined
  }

  /** Number of ends before the end that is replayed. */
  get endings(): number {
    return this.replay?.endings ?? 0
  }

  /** Runs the work in a fiber of its own, which is interrupted once only held steps remain. */
  within<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.withFiber((fiber) => {
      const counted = CountingScheduler.during(work as Effect.Effect<A, E>, (scheduler) => {
        this.scheduler = scheduler
        scheduler.onIdle = () => this.lookLater()
      })
      const worker = Effect.runForkWith(fiber.context)(counted)
      const done = worker.pollUnsafe()
      if (done !== undefined) return done
      return Effect.callback<A, E>((resume) => {
        this.worker = worker
        worker.addObserver((exit) => {
          this.worker = undefined
          resume(exit)
        })
        this.look()
        return Effect.callback<void>((stopped) => {
          worker.addObserver(() => stopped(Effect.void))
          worker.interruptUnsafe()
        })
      })
    })
  }

  /** A journal that still answers recorded steps after a request, and holds all others. */
  journal(inner: Journal): Journal {
    return {
      ...inner,
      event: (event) => inner.event(event),
      step: <A extends Json, E extends Failure, R>(name: string, effect: Effect.Effect<A, E, R>) =>
        inner.step(
          name,
          Effect.suspend(() => {
            if (this.ends) return this.hold(name)
            this.underWay.add(name)
            return Effect.onExitPrimitive(effect, () => {
              this.underWay.delete(name)
              this.lookLater()
              return undefined
            })
          }),
        ),
      sleep: (name, until) =>
        Effect.suspend(() => {
          const sleep = inner.sleep(name, until)
          // A recorded pause that is over takes no time.
          return this.ends ? Effect.raceFirst(sleep, this.hold(name)) : sleep
        }),
      wait: (wait) =>
        Effect.flatMap(inner.wait(wait), (kept) =>
          this.ends && kept.answer === undefined ? this.hold(wait.name) : Effect.succeed(kept),
        ),
    }
  }

  private get ends(): boolean {
    const isEnding = this.isReviewed && this.leaving && this.request?.mode === "after"
    return this.request !== undefined && !this.over && !isEnding
  }

  private hold(name: string): Effect.Effect<never> {
    return Effect.suspend(() => {
      this.held.add(name)
      this.replay?.held(name)
      this.lookLater()
      return Effect.never
    })
  }

  /** Interrupts once every step under way waits for one that is held. */
  private look(): void {
    const { worker } = this
    if (worker === undefined || !this.ends) return
    if (this.request!.mode === "after" && [...this.underWay].some((name) => !this.waits(name)))
      return
    worker.interruptUnsafe()
  }

  /** Looks once every fiber of the run had its turn: the stage may end by itself, or start a step that is held. */
  private lookLater(): void {
    const { scheduler } = this
    if (!this.ends) return
    scheduler?.afterwards(() => {
      if (scheduler.isIdle) this.look()
    })
  }

  private waits(name: string): boolean {
    // The record of an attempt is what holds the calls below the stage's path.
    const path = occurrenceOf(name)
    for (const held of this.held) if (isBelow(held, path)) return true
    return false
  }
}

/** Connects a recorded run with cancel requests from other processes. */
export const cancellationOf = (
  given: Cancellation | undefined,
  opened: OpenedRun | undefined,
): Cancellation | undefined => {
  if (opened === undefined) return given
  const cancellation = given ?? new Cancellation()
  opened.onCancel(cancellation.ask)
  return cancellation
}

export const within = <A, E, R>(
  cancellation: Cancellation | undefined,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => (cancellation === undefined ? work : cancellation.within(work))
