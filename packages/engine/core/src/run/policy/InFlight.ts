/** Calls of one attempt that are under way: a question without an answer waits for them before the attempt is suspended. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Suspended, type Wait } from "@planloom/plugin/effect"
import { CountingScheduler } from "./CountingScheduler.ts"

interface Call {
  readonly outer: Call | undefined
  /** Number of unanswered questions inside the call, which cannot end by itself before they are answered. */
  parked: number
}

/** The call whose effect is running, where a call can hold others. */
const Enclosing = Context.Reference<Call | undefined>("@planloom/core/Enclosing", {
  defaultValue: () => undefined,
})

export class InFlight {
  /** Set once the attempt is suspended; its outcome is then ignored. */
  suspended: Suspended | undefined
  private readonly calls = new Set<Call>()
  private readonly waits = new Set<Wait>()
  /** Ends the questions that wait for the attempt to be idle. */
  private readonly parked = new Set<(exit: Effect.Effect<never>) => void>()
  private scheduler: CountingScheduler | undefined

  /** Counts an effect as under way. */
  during<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.flatMap(Enclosing, (outer) => {
      if (this.suspended !== undefined) return Effect.die(this.suspended)
      const call: Call = { outer, parked: 0 }
      this.calls.add(call)
      return Effect.onExitPrimitive(Effect.provideService(effect, Enclosing, call), () => {
        this.calls.delete(call)
        this.look()
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
      return Effect.callback<never>((resume) => {
        for (const wait of waits) this.waits.add(wait)
        within(1)
        this.parked.add(resume)
        this.look()
        return Effect.sync(() => {
          for (const wait of waits) this.waits.delete(wait)
          within(-1)
          this.parked.delete(resume)
        })
      })
    })
  }

  /** The attempt's outcome, or its suspension even if the kind caught that. */
  guard<A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return CountingScheduler.during(
      Effect.matchCauseEffect(attempt, {
        onSuccess: (value) => this.orSuspended(Effect.succeed(value)),
        onFailure: (cause) => this.orSuspended(Effect.failCause(cause)),
      }),
      (scheduler) => {
        this.scheduler = scheduler
        scheduler.onIdle = () => this.look()
      },
    )
  }

  private orSuspended<A, E>(outcome: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return this.suspended === undefined ? outcome : Effect.die(this.suspended)
  }

  /** Suspends the attempt if nothing of it can continue by itself, once the code that runs at present has run. */
  private look(): void {
    if (this.parked.size === 0 || this.busy()) return
    this.scheduler?.afterwards(() => {
      if (this.parked.size === 0 || this.busy() || this.scheduler?.isIdle === false) return
      this.suspended ??= new Suspended({ waits: [...this.waits] })
      const suspension = Effect.die(this.suspended)
      for (const resume of this.parked) resume(suspension)
    })
  }

  private busy(): boolean {
    for (const { parked } of this.calls) if (parked === 0) return true
    return false
  }
}
