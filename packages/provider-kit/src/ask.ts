/** An SDK's promises as effects that end in time, obey interruption and fail with `ModelFailed` only. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ModelFailed } from "@planloom/plugin"
import type { Limits } from "./Limits.ts"
import { failureOf, tooLarge, untold, type Trouble } from "./Trouble.ts"
import { Wire } from "./Wire.ts"

export interface Asking {
  /** `provider/model`, for failures. */
  readonly model: string
  readonly limits: Limits
  /** What an error of the SDK means. */
  readonly trouble: (error: unknown, wire: Wire) => Trouble
  /** Values that no message may hold. */
  readonly secrets?: ReadonlyArray<string>
  /** The name of the secret that is the key. */
  readonly key?: string
}

/** Asks for a reply in one piece. Being interrupted ends the request. */
export const askWhole = <A>(
  asking: Asking,
  call: (wire: Wire) => Promise<A>,
): Effect.Effect<A, ModelFailed> =>
  Effect.clockWith((clock) => {
    const wire = new Wire(() => clock.currentTimeMillisUnsafe(), asking.limits.maxReplyBytes)
    return Effect.ensuring(
      inTime(asking, wire, () => call(wire)),
      Effect.sync(() => wire.end()),
    )
  })

/** Asks for a reply in pieces. Leaving the stream early ends the request. */
export const askParts = <A>(
  asking: Asking,
  open: (wire: Wire) => Promise<AsyncIterable<A>>,
): Stream.Stream<A, ModelFailed> =>
  Stream.unwrap(
    Effect.clockWith((clock) =>
      Effect.gen(function* () {
        const wire = yield* Effect.acquireRelease(
          Effect.sync(
            () => new Wire(() => clock.currentTimeMillisUnsafe(), asking.limits.maxReplyBytes),
          ),
          (opened) => Effect.sync(() => opened.end()),
        )
        const pieces = yield* inTime(asking, wire, () => open(wire))
        return Stream.unfold(pieces[Symbol.asyncIterator](), (iterator) =>
          Effect.map(
            inTime(asking, wire, () => iterator.next()),
            (next) => (next.done === true ? undefined : ([next.value, iterator] as const)),
          ),
        )
      }),
    ),
  )

const inTime = <A>(
  { key, limits, model, secrets, trouble }: Asking,
  wire: Wire,
  work: () => Promise<A>,
): Effect.Effect<A, ModelFailed> => {
  // An error of the service stays one, however much it says.
  const meaning = (error: unknown): Trouble =>
    wire.tooLarge && (wire.answered?.status ?? 0) < 400 ? tooLarge(wire.most) : trouble(error, wire)
  return Effect.raceFirst(
    Effect.tryPromise({
      try: work,
      catch: (error) => failureOf(model, withTold(meaning(error), wire), secrets, key),
    }),
    Effect.flatMap(silent(limits, wire), (message) =>
      Effect.fail(
        failureOf(model, withTold({ class: "timeout", message, usage: untold }, wire), secrets),
      ),
    ),
  )
}

/** What the answer's headers tell of every trouble, and that a reply that had begun may have cost something. */
const withTold = (trouble: Trouble, wire: Wire): Trouble => ({
  ...trouble,
  requestId: trouble.requestId ?? wire.requestId,
  usage:
    trouble.usage ??
    (wire.answered !== undefined && wire.answered.status < 400 ? untold : undefined),
})

/** Ends when the service has kept silent for too long since somebody began to listen. */
const silent = (limits: Limits, wire: Wire): Effect.Effect<string> =>
  Effect.clockWith((clock) => {
    const began = clock.currentTimeMillisUnsafe()
    const listen = (): Effect.Effect<string> =>
      Effect.suspend(() => {
        const until =
          wire.heard === undefined
            ? wire.opened + limits.timeout
            : Math.max(began, wire.heard) + limits.stall
        const left = until - clock.currentTimeMillisUnsafe()
        if (left > 0) {
          // The first byte changes which limit holds, and the other one may be over long before this one.
          const waited =
            wire.heard === undefined
              ? Effect.raceFirst(
                  Effect.sleep(left),
                  Effect.promise(() => wire.first),
                )
              : Effect.sleep(left)
          return Effect.flatMap(waited, listen)
        }
        return Effect.succeed(
          wire.heard === undefined
            ? `no answer within ${limits.timeout} ms`
            : `the reply stalled: nothing came for ${limits.stall} ms`,
        )
      })
    return listen()
  })
