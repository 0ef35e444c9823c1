/** Calls of one attempt that are under way: a question without an answer waits for them before the attempt is suspended. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Suspended, type Wait } from "@planloom/plugin"

interface Call {
  readonly outer: Call | undefined
  /** Number of unanswered questions inside the call, which cannot end by itself before they are answered. */
  parked: number
}

/** The call whose effect is running, where a call can hold others. */
const Enclosing = Context.Reference<Call | undefined>("@planloom/core/Enclosing", {
  defaultValue: () => undefined,
})

/** Scheduler turns after a call within which its continuation starts the next call. */
const IDLE_TURNS = 16

export class InFlight {
  /** Set once the attempt is suspended; its outcome is then ignored. */
  suspended: Suspended | undefined
  private readonly calls = new Set<Call>()
  private readonly waits = new Set<Wait>()
  private idle: Array<() => void> = []

  /** Counts an effect as under way. */
  during<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.flatMap(Enclosing, (outer) => {
      if (this.suspended !== undefined) return Effect.die(this.suspended)
      const call: Call = { outer, parked: 0 }
      this.calls.add(call)
      return Effect.onExitPrimitive(Effect.provideService(effect, Enclosing, call), () => {
        this.calls.delete(call)
        this.wake()
        return undefined
      })
    })
  }

  /** Waits until every other call has ended or is parked, then dies with all open questions of the attempt. */
  park(waits: ReadonlyArray<Wait>): Effect.Effect<never> {
    return Effect.flatMap(Enclosing, (call) => {
      const within = (change: number) => {
        for (let outer = call; outer !== undefined; outer = outer.outer) outer.parked += change
      }
      for (const wait of waits) this.waits.add(wait)
      within(1)
      this.wake()
      return Effect.onInterrupt(this.quiet, () =>
        Effect.sync(() => {
          for (const wait of waits) this.waits.delete(wait)
          within(-1)
        }),
      )
    })
  }

  /** The attempt's outcome, or its suspension even if the kind caught that. */
  guard<A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.matchCauseEffect(attempt, {
      onSuccess: (value) => this.orSuspended(Effect.succeed(value)),
      onFailure: (cause) => this.orSuspended(Effect.failCause(cause)),
    })
  }

  private orSuspended<A, E>(outcome: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return this.suspended === undefined ? outcome : Effect.die(this.suspended)
  }

  private readonly quiet: Effect.Effect<never> = Effect.suspend(() => {
    const untilIdle = Effect.callback<void>((resume) => {
      this.idle.push(() => resume(Effect.void))
    })
    const turn = (left: number): Effect.Effect<never> => {
      if (this.busy()) return Effect.flatMap(untilIdle, () => turn(IDLE_TURNS))
      if (left > 0) return Effect.flatMap(Effect.yieldNow, () => turn(left - 1))
      this.suspended ??= new Suspended({ waits: [...this.waits] })
      return Effect.die(this.suspended)
    }
    return turn(IDLE_TURNS)
  })

  private busy(): boolean {
    for (const { parked } of this.calls) if (parked === 0) return true
    return false
  }

  private wake(): void {
    if (this.idle.length === 0 || this.busy()) return
    const { idle } = this
    this.idle = []
    for (const resume of idle) resume()
  }
}
