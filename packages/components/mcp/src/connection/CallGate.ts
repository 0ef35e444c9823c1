/** Lets so many calls of a server run at once, and so many start in a minute; later ones wait their turn. */
import { setTimeout as sleep } from "node:timers/promises"

const MINUTE_MS = 60_000

export class CallGate {
  private readonly concurrency: number
  private readonly perMinute: number
  private running = 0
  private readonly waiting: Array<() => void> = []
  /** Starts within the last minute, oldest first. */
  private readonly starts: Array<number> = []

  constructor(concurrency: number, perMinute: number | undefined) {
    this.concurrency = concurrency
    this.perMinute = perMinute ?? Number.POSITIVE_INFINITY
  }

  /** Rejects with the reason of the signal if it is aborted while the call waits. */
  async through<A>(signal: AbortSignal, call: () => Promise<A>): Promise<A> {
    if (this.running >= this.concurrency) await this.turn(signal)
    else this.running++
    try {
      if (this.perMinute !== Number.POSITIVE_INFINITY) await this.slot(signal)
      return await call()
    } finally {
      const next = this.waiting.shift()
      // The next call takes the place of this one.
      if (next === undefined) this.running--
      else next()
    }
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        signal.removeEventListener("abort", leave)
        resolve()
      }
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(take), 1)
        reject(signal.reason)
      }
      signal.addEventListener("abort", leave, { once: true })
      this.waiting.push(take)
    })
  }

  private async slot(signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = Date.now()
      while (this.starts.length > 0 && this.starts[0]! <= now - MINUTE_MS) this.starts.shift()
      if (this.starts.length < this.perMinute) {
        this.starts.push(now)
        return
      }
      await sleep(this.starts[0]! + MINUTE_MS - now, undefined, { signal })
    }
  }
}
