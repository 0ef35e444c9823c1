/** Runs an SDK's promises as effects with time limits and interruption that fail with `ModelFailed` only. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ModelFailed } from "@planloom/plugin/effect"
import { HttpExchange } from "./http/HttpExchange.ts"
import type { Limits } from "./Limits.ts"
import { replyTooLarge, toModelFailed, unknownUsage, type ProviderError } from "./ProviderError.ts"

export interface RequestOptions {
  /** `provider/model`, for failures. */
  readonly model: string
  readonly limits: Limits
  /** Converts an error thrown by the SDK. */
  readonly toProviderError: (error: unknown, exchange: HttpExchange) => ProviderError
  /** Values that no message may contain. */
  readonly secrets?: ReadonlyArray<string>
  /** The name of the secret that holds the key. */
  readonly key?: string
}

/** Requests a whole reply. Interruption aborts the request. */
export const sendRequest = <A>(
  options: RequestOptions,
  call: (exchange: HttpExchange) => Promise<A>,
): Effect.Effect<A, ModelFailed> =>
  Effect.clockWith((clock) => {
    const exchange = new HttpExchange(
      () => clock.currentTimeMillisUnsafe(),
      options.limits.maxReplyBytes,
    )
    return Effect.ensuring(
      withLimits(options, exchange, () => call(exchange)),
      Effect.sync(() => exchange.abort()),
    )
  })

/** Requests a streamed reply. Leaving the stream early aborts the request. */
export const streamRequest = <A>(
  options: RequestOptions,
  open: (exchange: HttpExchange) => Promise<AsyncIterable<A>>,
): Stream.Stream<A, ModelFailed> =>
  Stream.unwrap(
    Effect.clockWith((clock) =>
      Effect.gen(function* () {
        const exchange = yield* Effect.acquireRelease(
          Effect.sync(
            () =>
              new HttpExchange(() => clock.currentTimeMillisUnsafe(), options.limits.maxReplyBytes),
          ),
          (opened) => Effect.sync(() => opened.abort()),
        )
        const chunks = yield* withLimits(options, exchange, () => open(exchange))
        return Stream.unfold(chunks[Symbol.asyncIterator](), (iterator) =>
          Effect.map(
            withLimits(options, exchange, () => iterator.next()),
            (next) => (next.done === true ? undefined : ([next.value, iterator] as const)),
          ),
        )
      }),
    ),
  )

const withLimits = <A>(
  { key, limits, model, secrets, toProviderError }: RequestOptions,
  exchange: HttpExchange,
  run: () => Promise<A>,
): Effect.Effect<A, ModelFailed> => {
  // An error response keeps its class even if its body exceeds the size limit.
  const convert = (error: unknown): ProviderError => {
    if (exchange.redirectRefused !== undefined)
      return { class: "unavailable", message: exchange.redirectRefused }
    return exchange.tooLarge && (exchange.response?.status ?? 0) < 400
      ? replyTooLarge(exchange.maxReplyBytes)
      : toProviderError(error, exchange)
  }
  return Effect.raceFirst(
    Effect.tryPromise({
      try: run,
      catch: (error) =>
        toModelFailed(model, withResponseDetails(convert(error), exchange), secrets, key),
    }),
    Effect.flatMap(limitExceeded(limits, exchange), (message) =>
      Effect.fail(
        toModelFailed(
          model,
          withResponseDetails({ class: "timeout", message, usage: unknownUsage }, exchange),
          secrets,
        ),
      ),
    ),
  )
}

/** Adds the request id of the headers, and unknown usage if a reply had started: it may have cost something. */
const withResponseDetails = (error: ProviderError, exchange: HttpExchange): ProviderError => ({
  ...error,
  requestId: error.requestId ?? exchange.requestId,
  usage:
    error.usage ??
    (exchange.response !== undefined && exchange.response.status < 400 ? unknownUsage : undefined),
})

/** Waits until a time limit is exceeded, counted from the caller's start of waiting, and returns the message. */
const limitExceeded = (limits: Limits, exchange: HttpExchange): Effect.Effect<string> =>
  Effect.clockWith((clock) => {
    const waitingSince = clock.currentTimeMillisUnsafe()
    const wait = (): Effect.Effect<string> =>
      Effect.suspend(() => {
        const deadline =
          exchange.lastByteAt === undefined
            ? exchange.startedAt + limits.timeout
            : Math.max(waitingSince, exchange.lastByteAt) + limits.stall
        const left = deadline - clock.currentTimeMillisUnsafe()
        if (left > 0) {
          // The first byte switches from `timeout` to `stall`, which may end long before `timeout` would.
          const waited =
            exchange.lastByteAt === undefined
              ? Effect.raceFirst(
                  Effect.sleep(left),
                  Effect.promise(() => exchange.firstByte),
                )
              : Effect.sleep(left)
          return Effect.flatMap(waited, wait)
        }
        return Effect.succeed(
          exchange.lastByteAt === undefined
            ? `no answer within ${limits.timeout} ms`
            : `the reply stalled: nothing came for ${limits.stall} ms`,
        )
      })
    return wait()
  })
