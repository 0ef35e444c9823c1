/** Deadlines of one run, watched by one timer: most work ends long before it is late. */
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { Watch } from "../../model/limit/TimeLimit.ts"

type Fork = (timer: Effect.Effect<void>) => Fiber.Fiber<void>

interface Deadline extends Watch {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly late: () => void
}

export class Deadlines {
  private readonly now: () => number
  private readonly open = new Set<Deadline>()
  private timer: Fiber.Fiber<void> | undefined
  /** When the timer rings: at the earliest deadline, or at an earlier one that was met. */
  private rings = Infinity

  constructor(now: () => number) {
    this.now = now
  }

  /** Calls `late` after so many milliseconds unless the watch is ended before. `fork` runs the timer if one is needed. */
  watch(ms: number, late: () => void, fork: Fork): Watch {
    const deadline: Deadline = {
      at: this.now() + ms,
      late,
      end: () => void this.open.delete(deadline),
    }
    this.open.add(deadline)
    if (deadline.at < this.rings) this.ringIn(ms, deadline.at, fork)
    return deadline
  }

  /** Stops the timer, which would keep the process alive. */
  close(): void {
    this.open.clear()
    this.stop()
  }

  private ringIn(ms: number, at: number, fork: Fork): void {
    this.stop()
    this.rings = at
    const timer = fork(Effect.sleep(ms))
    this.timer = timer
    timer.addObserver((exit) => {
      if (exit._tag === "Success") this.ring(fork)
    })
  }

  private ring(fork: Fork): void {
    this.timer = undefined
    this.rings = Infinity
    const now = this.now()
    let next = Infinity
    for (const deadline of this.open) {
      if (deadline.at > now) next = Math.min(next, deadline.at)
      else {
        this.open.delete(deadline)
        deadline.late()
      }
    }
    // One that was late may have ended the run.
    if (this.open.size > 0 && next < this.rings) this.ringIn(next - now, next, fork)
  }

  private stop(): void {
    this.timer?.interruptUnsafe()
    this.timer = undefined
    this.rings = Infinity
  }
}
