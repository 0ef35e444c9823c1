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
    let next = Infinity
    for (const limit of this.open) {
      if (limit.due > now) next = Math.min(next, limit.due)
      else {
        this.open.delete(limit)
        limit.ring()
      }
    }
    // One that was late may have ended the run.
    if (this.open.size > 0 && next < this.rings) this.ringAt(next, context)
  }

  private stop(): void {
    this.timer?.interruptUnsafe()
    this.timer = undefined
    this.rings = Infinity
  }
}
