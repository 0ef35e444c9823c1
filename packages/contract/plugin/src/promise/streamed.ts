/** An async iterable of a promise-style component → a stream. */
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { CallSignal } from "./Async.ts"
import type { Thrown } from "./Thrown.ts"

/** Ends the iteration and aborts its signal when the stream is no longer read. */
export const streamed = <A, E>(
  start: (call: CallSignal) => AsyncIterable<A>,
  thrown: Thrown<E>,
): Stream.Stream<A, E> =>
  Stream.fromChannel(
    Channel.fromTransform((_, scope) =>
      Effect.suspend(() => {
        const { close, pull } = new Iteration(start, thrown)
        return Effect.as(Scope.addFinalizer(scope, close), pull)
      }),
    ),
  )

type Resume<A, E> = (item: Effect.Effect<readonly [A], E | Cause.Done>) => void

/** `Stream.fromAsyncIterable` makes three promises and five effects of each item, which cost more than the item. */
class Iteration<A, E> {
  private readonly controller = new AbortController()
  private readonly start: (call: CallSignal) => AsyncIterable<A>
  private readonly thrown: Thrown<E>
  private items: AsyncIterator<A> | undefined
  private resume: Resume<A, E> | undefined

  constructor(start: (call: CallSignal) => AsyncIterable<A>, thrown: Thrown<E>) {
    this.start = start
    this.thrown = thrown
  }

  /** One item at a time: the component is asked for no more than is read. */
  readonly pull = Effect.callback<readonly [A], E | Cause.Done>((resume) => {
    this.resume = resume
    try {
      this.items ??= this.start({ signal: this.controller.signal })[Symbol.asyncIterator]()
      this.items.next().then(this.given, this.failed)
    } catch (error) {
      this.failed(error)
    }
  })

  // One function each for all items.

  private readonly given = ({ done, value }: IteratorResult<A, unknown>): void =>
    this.settle(done === true ? Cause.done() : Effect.succeed([value as A]))

  private readonly failed = (error: unknown): void => this.settle(this.thrown(error))

  private settle(item: Effect.Effect<readonly [A], E | Cause.Done>): void {
    const resume = this.resume!
    this.resume = undefined
    resume(item)
  }

  /** `return` may not settle before an item that is awaited: then it is not waited for. */
  readonly close = Effect.suspend(() => {
    const { controller, items } = this
    const isPending = this.resume !== undefined
    const returned = items?.return?.()
    if (isPending) void returned?.catch(() => undefined)
    return Effect.ensuring(
      isPending || returned === undefined ? Effect.void : Effect.promise(() => returned),
      Effect.sync(() => controller.abort()),
    )
  })
}
