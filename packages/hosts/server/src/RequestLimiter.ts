/** Limits the requests of each client: a token bucket per client, in the memory of the server. */
import * as Effect from "effect/Effect"
import { Problem } from "./Problem.ts"

const MINUTE_MS = 60_000

/** Clients that are remembered; beyond that, those whose bucket is full again are forgotten. */
const MAX_CLIENTS = 10_000

interface Bucket {
  left: number
  /** Epoch milliseconds. */
  at: number
}

export class RequestLimiter {
  private readonly perMinute: number
  private readonly buckets = new Map<string, Bucket>()

  /** A client may send as many requests at once as in a minute. */
  constructor(perMinute: number) {
    this.perMinute = perMinute
  }

  /** Fails with 429 and the seconds until the next request is accepted. */
  accept(client: string): Effect.Effect<void, Problem> {
    return Effect.clockWith((clock) => {
      const now = clock.currentTimeMillisUnsafe()
      const bucket = this.bucketOf(client, now)
      bucket.left = this.leftIn(bucket, now)
      bucket.at = now
      if (bucket.left < 1) return Effect.fail(this.rejected(bucket))
      bucket.left--
      return Effect.void
    })
  }

  private rejected({ left }: Bucket): Problem {
    const seconds = Math.ceil(((1 - left) * MINUTE_MS) / this.perMinute / 1000)
    return new Problem({
      code: "too_many_requests",
      detail: `a client may send ${this.perMinute} requests a minute; try again in ${seconds} s`,
      more: { requests_per_minute: this.perMinute },
      headers: { "retry-after": String(seconds) },
    })
  }

  private leftIn({ at, left }: Bucket, now: number): number {
    const refilled = (Math.max(0, now - at) * this.perMinute) / MINUTE_MS
    return Math.min(this.perMinute, left + refilled)
  }

  private bucketOf(client: string, now: number): Bucket {
    const known = this.buckets.get(client)
    if (known !== undefined) return known
    if (this.buckets.size >= MAX_CLIENTS) {
      for (const [name, bucket] of this.buckets) {
        if (this.leftIn(bucket, now) >= this.perMinute) this.buckets.delete(name)
      }
    }
    const bucket = { left: this.perMinute, at: now }
    this.buckets.set(client, bucket)
    return bucket
  }
}
