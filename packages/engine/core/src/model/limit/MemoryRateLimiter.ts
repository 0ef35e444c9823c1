/** Enforces rates, concurrency and circuit breakers across all runs of a process that share an instance. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { RateLimiter as TokenBuckets } from "effect/persistence/RateLimiter"
import {
  ModelFailed,
  type CallBreaker,
  type CallRate,
  type LimitedCall,
  type RateLimiter,
} from "@planloom/plugin/effect"
import { formatDuration } from "@planloom/plugin/duration"
import { loadedOnce } from "@planloom/plugin/late"
import { missedDeadline, type Deadline } from "./TimeLimit.ts"
import { Breaker } from "./Breaker.ts"
import { Slots } from "./Slots.ts"

/** Loaded with the first call that has a rate: it brings effect/Schema. */
const bucketsModule = loadedOnce(() => import("./memoryBuckets.ts"))

/** Shorter waits are not reported. */
const LONG_WAIT_MS = 1000
const WINDOW_MS = 60_000

export class MemoryRateLimiter implements RateLimiter {
  private readonly breakers = new Map<string, Breaker>()
  private readonly slots = new Map<string, Slots>()
  private buckets: TokenBuckets | undefined

  /**
   * Makes the call when its breaker, a slot and the rates allow it, checked in this order. Interruption returns unused
   * amounts. `taken` reads the tokens that a reply used.
   */
  within<A>(
    call: LimitedCall,
    taken: (reply: A) => number,
    work: Effect.Effect<A, ModelFailed>,
  ): Effect.Effect<A, ModelFailed> {
    let limited = this.atRates(call, taken, work)
    for (const rate of call.rates) limited = this.inSlot(call, rate, limited)
    return call.breaker === undefined ? limited : this.guarded(call, call.breaker, limited)
  }

  private guarded<A>(
    { model, provider }: LimitedCall,
    policy: CallBreaker,
    work: Effect.Effect<A, ModelFailed>,
  ): Effect.Effect<A, ModelFailed> {
    return Effect.clockWith((clock) => {
      const breaker = this.breaker(provider)
      const entered = breaker.enter(policy, clock.currentTimeMillisUnsafe())
      if (typeof entered === "number") {
        return Effect.fail(
          new ModelFailed({
            class: "unavailable",
            model,
            retryAfter: entered,
            unsent: true,
            message: `${provider} has failed repeatedly; its circuit breaker stays open for ${Math.ceil(entered / 1000)} s more`,
          }),
        )
      }
      return Effect.onExit(work, (exit) =>
        Effect.sync(() =>
          breaker.leave(
            policy,
            clock.currentTimeMillisUnsafe(),
            entered === "probe",
            failureOf(exit),
          ),
        ),
      )
    })
  }

  private breaker(provider: string): Breaker {
    let breaker = this.breakers.get(provider)
    if (breaker === undefined) this.breakers.set(provider, (breaker = new Breaker()))
    return breaker
  }

  private inSlot<A>(
    { waits }: LimitedCall,
    { concurrency, key, name }: CallRate,
    work: Effect.Effect<A, ModelFailed>,
  ): Effect.Effect<A, ModelFailed> {
    if (concurrency === undefined) return work
    const slot = `${concurrency} ${key}`
    let slots = this.slots.get(slot)
    if (slots === undefined) this.slots.set(slot, (slots = new Slots(concurrency)))
    return slots.within(LONG_WAIT_MS, () => waits(name, undefined), work)
  }

  private atRates<A>(
    call: LimitedCall,
    taken: (reply: A) => number,
    work: Effect.Effect<A, ModelFailed>,
  ): Effect.Effect<A, ModelFailed> {
    const wanted = call.rates.flatMap(({ key, name, requests, tokens }) => [
      ...(requests === undefined
        ? []
        : [{ key: `requests ${key}`, name, limit: requests, amount: 1 }]),
      ...(tokens === undefined
        ? []
        : [{ key: `tokens ${key}`, name, limit: tokens, amount: Math.ceil(call.tokens) }]),
    ])
    if (wanted.length === 0) return work
    return Effect.flatMap(this.loadedBuckets, (limiter) => {
      const consume = ({ amount, key, limit }: (typeof wanted)[number], times: number) =>
        Effect.orDie(
          limiter.consume({
            algorithm: "token-bucket",
            onExceeded: "delay",
            window: WINDOW_MS,
            limit,
            key,
            tokens: amount * times,
          }),
        )
      const giveBack = Effect.forEach(wanted, (one) => consume(one, -1), { discard: true })
      const correct = (reply: A) =>
        Effect.forEach(
          wanted.filter(({ key }) => key.startsWith("tokens ")),
          (one) => consume({ ...one, amount: taken(reply) - one.amount }, 1),
          { discard: true },
        )
      return Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(
          Effect.forEach(wanted, (one) =>
            Effect.map(consume(one, 1), ({ delay }) => ({
              name: one.name,
              ms: Duration.toMillis(delay),
            })),
          ),
          (delays) => {
            const longest = delays.reduce((a, b) => (b.ms > a.ms ? b : a))
            const wait = Effect.flatMap(missedDeadline(longest.ms), (deadline) => {
              if (deadline !== undefined) return Effect.fail(noTimeToWait(call, longest, deadline))
              if (longest.ms >= LONG_WAIT_MS) call.waits(longest.name, longest.ms)
              return longest.ms > 0 ? Effect.sleep(longest.ms) : Effect.void
            })
            return Effect.andThen(
              Effect.onError(restore(wait), () => giveBack),
              Effect.tap(restore(work), correct),
            )
          },
        ),
      )
    })
  }

  private get loadedBuckets(): Effect.Effect<TokenBuckets> {
    return this.buckets === undefined
      ? Effect.flatMap(bucketsModule(), ({ memoryBuckets }) =>
          Effect.map(memoryBuckets, (made) => {
            this.buckets ??= made
            return this.buckets
          }),
        )
      : Effect.succeed(this.buckets)
  }
}

/** The failure of a call whose turn comes after the time limit of its stage or run. */
const noTimeToWait = (
  { model }: LimitedCall,
  { ms, name }: { readonly name: string; readonly ms: number },
  { left, limit }: Deadline,
): ModelFailed =>
  new ModelFailed({
    class: "rate_limit",
    model,
    retryAfter: ms,
    unsent: true,
    message: `the rate "${name}" admits the call in ${formatDuration(ms)}, and ${formatDuration(left)} are left of the time limit of ${formatDuration(limit)}`,
    detail: { pause: ms, left, limit },
  })

const failureOf = (exit: Exit.Exit<unknown, ModelFailed>) => {
  if (Exit.isSuccess(exit)) return undefined
  const error = Exit.findErrorOption(exit)
  if (error._tag === "None") return "interrupted" as const
  // A call that did not wait for its turn says nothing about the provider.
  return error.value.class === "rate_limit" && error.value.unsent === true
    ? ("interrupted" as const)
    : error.value.class
}
