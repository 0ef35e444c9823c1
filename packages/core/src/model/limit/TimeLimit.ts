/** A time limit that work is under: how much of it is left, and its place among the limits around it. */
import type { Clock } from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StageFailed } from "@planloom/plugin/effect"

/** A limit that ends first among those that an effect is under. */
export interface Deadline {
  /** The whole limit, in milliseconds. */
  readonly limit: number
  /** Milliseconds left of it. */
  readonly left: number
  /** The failure of work that is not done in time. */
  readonly late: () => StageFailed
}

/** What looks at the time for a limit until it is ended. */
export interface Watch {
  readonly end: () => void
}

export class TimeLimit {
  private readonly late: () => StageFailed
  private readonly limit: number
  private readonly outer: TimeLimit | undefined
  private readonly clock: Clock
  /** Milliseconds, as of `since`. */
  private left: number
  private since = 0
  private pauses = 0
  private watch: Watch | undefined
  private set: ((left: number) => Watch) | undefined

  constructor(outer: TimeLimit | undefined, ms: number, clock: Clock, late: () => StageFailed) {
    this.outer = outer
    this.late = late
    this.limit = ms
    this.left = ms
    this.clock = clock
    this.since = clock.currentTimeMillisUnsafe()
  }

  start(set: (left: number) => Watch): void {
    this.set = set
    if (this.pauses === 0) this.watch = set(this.left)
  }

  end(): void {
    this.set = undefined
    this.watch?.end()
  }

  pause(): void {
    this.outer?.pause()
    if (this.pauses++ > 0) return
    this.watch?.end()
    this.watch = undefined
    this.left = Math.max(0, this.left - (this.clock.currentTimeMillisUnsafe() - this.since))
  }

  resume(): void {
    this.outer?.resume()
    if (--this.pauses > 0) return
    this.since = this.clock.currentTimeMillisUnsafe()
    this.watch = this.set?.(this.left)
  }

  /** The one of this limit and those around it that ends first. */
  get deadline(): Deadline {
    const spent = this.pauses > 0 ? 0 : this.clock.currentTimeMillisUnsafe() - this.since
    const left = Math.max(0, this.left - spent)
    const outer = this.outer?.deadline
    return outer !== undefined && outer.left < left
      ? outer
      : { limit: this.limit, left, late: this.late }
  }
}

/** The innermost limit that an effect is under. */
export const InnermostLimit = Context.Reference<TimeLimit | undefined>("@planloom/core/TimeLimit", {
  defaultValue: () => undefined,
})

/** The deadline that a pause of so many milliseconds would miss; undefined if there is time for it. */
export const missedDeadline = (ms: number): Effect.Effect<Deadline | undefined> =>
  Effect.map(InnermostLimit, (innermost) => {
    const deadline = innermost?.deadline
    return deadline !== undefined && deadline.left < ms ? deadline : undefined
  })
