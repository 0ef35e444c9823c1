/** A clock that jumps to the next timer as soon as nothing else happens: waiting takes no time and its length is exact. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Clock } from "effect/Clock"

/** Turns of the event loop without a new timer after which a run only waits for time. */
const QUIET_TURNS = 6

interface Timer {
  readonly at: number
  readonly ring: () => void
}

/** Starts at the epoch. Reading and writing files delays it. */
export class VirtualClock implements Clock {
  private now = 0
  private quiet = 0
  private isWatching = false
  private readonly timers = new Set<Timer>()

  currentTimeMillisUnsafe(): number {
    return this.now
  }
  currentTimeNanosUnsafe(): bigint {
    return BigInt(Math.round(this.now * 1e6))
  }
  monotonicTimeNanosUnsafe(): bigint {
    return this.currentTimeNanosUnsafe()
  }
  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = this.currentTimeNanos

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    const ms = Duration.toMillis(duration)
    if (ms <= 0) return Effect.yieldNow
    if (!Number.isFinite(ms)) return Effect.never
    return Effect.callback<void>((resume) => {
      const timer = { at: this.now + ms, ring: () => resume(Effect.void) }
      this.timers.add(timer)
      this.quiet = 0
      this.watch()
      return Effect.sync(() => void this.timers.delete(timer))
    })
  }

  private watch(): void {
    if (this.isWatching) return
    this.isWatching = true
    setImmediate(this.turn)
  }

  private readonly turn = (): void => {
    if (this.timers.size === 0) {
      this.isWatching = false
      return
    }
    this.quiet = isBusy() ? 0 : this.quiet + 1
    if (this.quiet >= QUIET_TURNS) this.jump()
    setImmediate(this.turn)
  }

  private jump(): void {
    const next = [...this.timers].reduce((first, one) => (one.at < first.at ? one : first))
    this.timers.delete(next)
    this.now = next.at
    this.quiet = 0
    next.ring()
  }
}

/** Whether a file is being read or written, or a process or connection is awaited. */
const isBusy = (): boolean =>
  process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))
