/** Cancelling a run that somebody asks to end: what is under way may end first, nothing new begins. */
import * as Effect from "effect/Effect"
import type { Fiber } from "effect/Fiber"
import type { CancelRequest, Failure, Journal, Json, OpenedRun } from "@planloom/plugin"

/** Milliseconds after a step in which its stage may come to its own end. */
const SETTLING = 10

/** The record of an attempt is what holds the calls below the stage's path. */
const attempt = /(?:\/answered:\d+)?(?:\/(?:run|model|mechanical):\d+)?$/

/** Going over a record to see where it leads, with nothing done at its end either. */
export interface Replay {
  /** Hears what is missing in the record. */
  readonly held: (name: string) => void
  readonly endings: number
}

export class Cancellation {
  private request: CancelRequest | undefined
  /** Steps that are done for the first time now, by name. */
  private readonly underWay = new Set<string>()
  /** Steps that were not begun any more. */
  private readonly held = new Set<string>()
  private worker: Fiber<unknown, unknown> | undefined
  private over = false
  private leaving = false
  private readonly replay: Replay | undefined

  /** With a request from the start the run only goes over its record. */
  constructor(request?: CancelRequest, replay?: Replay) {
    this.request = request
    this.replay = replay
  }

  /** Undefined when nobody has asked, or when the work was done before. */
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
   * What is under way ends and is recorded, then the run is left as if its process had died there: no
   * `finally`, no end. A run that is to be cancelled is cancelled.
   */
  leave(): void {
    if (this.over || this.request !== undefined) return
    this.ask({ mode: "after", reason: "left" })
    this.leaving = true
  }

  /** Nothing may be told of the end of this work. */
  get left(): boolean {
    return this.leaving && !this.over
  }

  /** Lets steps begin again: `finally` is done whatever was asked. A replay begins none at all. */
  release(): void {
    this.over = !this.replays
  }

  get replays(): boolean {
    return this.replay !== undefined
  }

  /** How often the run had ended before the end that is replayed. */
  get endings(): number {
    return this.replay?.endings ?? 0
  }

  /** Does the work in a fiber of its own, which is interrupted when it can do no more. */
  within<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.withFiber((fiber) => {
      const worker = Effect.runForkWith(fiber.context)(work as Effect.Effect<A, E>)
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

  /** The journal as the run uses it: what is recorded is answered even while the run is to end. */
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
              // What comes of it first: the stage may end, or begin a step that is held.
              if (this.ends) setTimeout(() => this.look(), SETTLING)
              return undefined
            })
          }),
        ),
      sleep: (name, until) =>
        Effect.suspend(() => {
          const sleep = inner.sleep(name, until)
          // A pause that is over is no pause.
          return this.ends
            ? Effect.raceFirst(sleep, Effect.andThen(Effect.yieldNow, this.hold(name)))
            : sleep
        }),
      wait: (wait) =>
        Effect.flatMap(inner.wait(wait), (kept) =>
          this.ends && kept.answer === undefined ? this.hold(wait.name) : Effect.succeed(kept),
        ),
    }
  }

  private get ends(): boolean {
    return this.request !== undefined && !this.over
  }

  private hold(name: string): Effect.Effect<never> {
    return Effect.suspend(() => {
      this.held.add(name)
      this.replay?.held(name)
      this.look()
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

  private waits(name: string): boolean {
    const below = `${name.replace(attempt, "")}/`
    for (const held of this.held) if (held.startsWith(below)) return true
    return false
  }
}

/** Of a recorded run: whoever has it open hears that somebody wants it to end. */
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
