/** Effect's rate limiter over memory: the buckets of one process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"

export const memoryBuckets: Effect.Effect<RateLimiter.RateLimiter> = Effect.scoped(
  Effect.flatMap(Layer.build(RateLimiter.layerStoreMemory), (store) =>
    Effect.provide(RateLimiter.make, store),
  ),
)
