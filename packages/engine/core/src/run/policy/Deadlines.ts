/** Time limits of one run, watched by one timer: most work ends long before it is late. */
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import type { Fiber } from "effect/Fiber"
import type { TimeLimit, Watch } from "../../model/limit/TimeLimit.ts"

export class Deadlines implements Watch {
  readonly now: () => number
  private readonly open = new Set<TimeLimit>()
  private timer: Fiber<void> | undefined
  /** When the timer rings: at the earliest end of a limit, or at an earlier one that was met. */
  private rings = Infinity

  constructor(now: () => number) {
    this.now = now
  }

  add(limit: TimeLimit, context: Context<never>): void {
    this.open.add(limit)
    if (limit.due < this.rings) this.ringAt(limit.due, context)
  }

  remove(limit: TimeLimit): void {
    this.open.delete(limit)
  }

  /** Stops the timer, which would keep the process alive. */
  close(): void {
    this.open.clear()
    this.stop()
  }

  private ringAt(end: number, context: Context<never>): void {
    this.stop()
    this.rings = end
    const timer = Effect.runForkWith(context)(Effect.sleep(end - this.now()))
    this.timer = timer
    timer.addObserver((exit) => {
      if (exit._tag === "Success") this.ring(context)
    })
  }

  private ring(context: Context<never>): void {
    this.timer = undefined
    this.rings = Infinity
    const now = this.now()
    const late = [...this.open].filter(({ due }) => due <= now).toSorted(inOrder)
    // One that rings ends those of the work that it interrupts, and what runs after it may begin others anew.
    for (const limit of late) {
      if (limit.due <= now && this.open.delete(limit)) limit.ring()
    }
    let next = Infinity
    for (const { due } of this.open) next = Math.min(next, due)
    if (next < this.rings) this.ringAt(next, context)
  }

  private stop(): void {
    this.timer?.interruptUnsafe()
    this.timer = undefined
    this.rings = Infinity
  }
}

/** Of limits that end together, the outermost first: the work under it is not done in its time, whatever an inner one would lead to. */
const inOrder = (one: TimeLimit, other: TimeLimit): number =>
  one.due - other.due || one.depth - other.depth
