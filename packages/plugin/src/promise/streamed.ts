/** An async iterable of a promise-style component → a stream. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CallSignal } from "./Async.ts"
import type { Thrown } from "./Thrown.ts"

/** Ends the iteration and aborts its signal when the stream is no longer read. */
export const streamed = <A, E>(
  start: (call: CallSignal) => AsyncIterable<A>,
  thrown: Thrown<E>,
): Stream.Stream<A, E> =>
  Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new Iteration(start, thrown)),
        (iteration) => iteration.close,
      ),
      ({ pull }) => Stream.fromPull(Effect.succeed(pull)),
    ),
  )

/** `Stream.fromAsyncIterable` makes three promises and five effects of each item, which cost more than the item. */
class Iteration<A, E> {
  private readonly controller = new AbortController()
  private readonly start: (call: CallSignal) => AsyncIterable<A>
  private readonly thrown: Thrown<E>
  private items: AsyncIterator<A> | undefined
  private isPending = false

  constructor(start: (call: CallSignal) => AsyncIterable<A>, thrown: Thrown<E>) {
    this.start = start
    this.thrown = thrown
  }

  /** One item at a time: the component is asked for no more than is read. */
  readonly pull = Effect.callback<readonly [A], E | Cause.Done>((resume) => {
    const failed = (error: unknown) => {
      this.isPending = false
      resume(this.thrown(error))
    }
    try {
      this.items ??= this.start({ signal: this.controller.signal })[Symbol.asyncIterator]()
      this.isPending = true
      this.items.next().then((next) => {
        this.isPending = false
        resume(next.done === true ? Cause.done() : Effect.succeed([next.value]))
      }, failed)
    } catch (error) {
      failed(error)
    }
  })

  /** `return` may not settle before an item that is awaited: then it is not waited for. */
  readonly close = Effect.suspend(() => {
    const { controller, items, isPending } = this
    const returned = items?.return?.()
    if (isPending) void returned?.catch(() => undefined)
    return Effect.ensuring(
      isPending || returned === undefined ? Effect.void : Effect.promise(() => returned),
      Effect.sync(() => controller.abort()),
    )
  })
}
