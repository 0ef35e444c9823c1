/** One reply on its way through a promise-style gate. */
import * as Cause from "effect/Cause"
import type { Context } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import type { Failure, ModelFailed } from "../run/Failure.ts"
import type { Released } from "../component/Review.ts"
import { AsyncCall } from "./AsyncCall.ts"
import { failureOrDefect } from "./Thrown.ts"

type Texts = Pull.Pull<readonly [string, ...Array<string>], ModelFailed>
type Ended = Effect.Effect<any, Failure>

export class GateCall {
  private readonly call: AsyncCall<any, Failure>
  private readonly start: () => AsyncIterator<Released>
  private parts: AsyncIterator<Released> | undefined
  private ended: Ended | undefined
  private waiting: ((outcome: Ended) => void) | undefined

  constructor(
    services: Context<never>,
    next: Texts,
    open: (texts: AsyncIterable<string>, call: AsyncCall<any, any>) => AsyncIterable<Released>,
  ) {
    this.call = new AsyncCall<any, Failure>(services, (outcome) => {
      this.ended = outcome
      this.waiting?.(outcome)
    })
    this.start = () => open(this.texts(next), this.call)[Symbol.asyncIterator]()
  }

  /** The next part that the gate releases. */
  readonly pull: Pull.Pull<readonly [Released], Failure> = Effect.callback<
    readonly [Released],
    Failure | Cause.Done<void>
  >((resume) => {
    if (this.ended !== undefined) {
      resume(this.ended)
      return
    }
    this.waiting = resume
    const fail = (error: unknown) => this.call.end(failureOrDefect(error))
    try {
      this.parts ??= this.start()
      this.parts
        .next()
        .then(
          ({ done, value }) =>
            resume(done === true ? Cause.done() : Effect.succeed([value] as const)),
          fail,
        )
    } catch (error) {
      fail(error)
    }
  })

  /** The reply is read no further: effects that the gate has started are interrupted, its signal is aborted. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    // Not awaited: a generator that waits for something else returns after it.
    this.parts?.return?.().catch(() => {})
    return this.call.cancel()
  })

  private async *texts(next: Texts): AsyncGenerator<string> {
    for (;;) {
      const texts = await this.call.run(this.orEnd(next))
      if (texts === undefined) return
      yield* texts
    }
  }

  /** Undefined after the last text; a failure ends the gate. */
  private orEnd(next: Texts): Effect.Effect<ReadonlyArray<string> | undefined> {
    return Effect.catchCause(
      Pull.catchDone(next, () => Effect.undefined),
      (cause) =>
        Effect.andThen(
          Effect.sync(() => this.call.end(Effect.failCause(cause))),
          Effect.never,
        ),
    )
  }
}
