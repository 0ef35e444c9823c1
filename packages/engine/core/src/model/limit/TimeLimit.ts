/** A time limit that work is under: how much of it is left, and its place among the limits around it. */
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

/** Watches the time for the limits of one run. */
export interface Watch {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Calls `ring` of the limit once it is `due`. A timer for it runs in `context`. */
  readonly add: (limit: TimeLimit, context: Context.Context<never>) => void
  readonly remove: (limit: TimeLimit) => void
}

const nothing = (): void => undefined

/** The failure of work that is not done within so many milliseconds. */
export type Late = (limit: number) => StageFailed

/** Limits nothing before `begin`. */
export class TimeLimit {
  private late: Late | undefined
  private limit = Infinity
  private readonly outer: TimeLimit | undefined
  /** Number of limits around it. */
  readonly depth: number
  private readonly watch: Watch
  /** Milliseconds, as of `since`. */
  private left = Infinity
  private since = 0
  private pauses = 0
  /** Set while the limit is watched, or would be but for a pause. */
  private context: Context.Context<never> | undefined
  /** Ends the work that is late. */
  ring: () => void = nothing

  constructor(outer: TimeLimit | undefined, watch: Watch) {
    this.outer = outer
    this.depth = outer === undefined ? 0 : outer.depth + 1
    this.watch = watch
  }

  /** Limits what runs from then on, in milliseconds since the epoch. */
  begin(ms: number, late: Late, since: number): void {
    this.late = late
    this.limit = ms
    this.left = ms
    this.since = since
    this.pauses = 0
    if (this.context !== undefined) this.watch.add(this, this.context)
  }

  /** Limits nothing until the next `begin`. */
  end(): void {
    this.left = Infinity
  }

  /** Milliseconds since the epoch. */
  get due(): number {
    return this.since + this.left
  }

  /** Watches the limit: work that is not done when it is due is ended by `ring`. */
  start(ring: () => void, context: Context.Context<never>): void {
    this.ring = ring
    this.context = context
    if (this.pauses === 0) this.watch.add(this, context)
  }

  stop(): void {
    this.context = undefined
    this.watch.remove(this)
  }

  pause(): void {
    this.outer?.pause()
    if (this.pauses++ > 0) return
    this.watch.remove(this)
    this.left = Math.max(0, this.due - this.watch.now())
  }

  resume(): void {
    this.outer?.resume()
    if (--this.pauses > 0) return
    this.since = this.watch.now()
    if (this.context !== undefined) this.watch.add(this, this.context)
  }

  /** Of the work under way. */
  get failure(): () => StageFailed {
    const { late, limit } = this
    return () => late!(limit)
  }

  /** The one of this limit and those around it that ends first; of those that end together, the outermost. */
  get deadline(): Deadline {
    const spent = this.pauses > 0 ? 0 : this.watch.now() - this.since
    const left = Math.max(0, this.left - spent)
    const outer = this.outer?.deadline
    return outer !== undefined && outer.left <= left
      ? outer
      : { limit: this.limit, left, late: this.failure }
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
