/** Limits calls at once, in order of arrival; a waiting call can be interrupted. */
import * as Effect from "effect/Effect"

export class Slots {
  private readonly limit: number
  private taken = 0
  private readonly waiting: Array<() => void> = []

  constructor(limit: number) {
    this.limit = limit
  }

  /** `late` is called once when a place was waited for longer than `patience` milliseconds. */
  within<A, E, R>(
    patience: number,
    late: () => void,
    work: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.suspend(() => {
        if (this.taken >= this.limit || this.waiting.length > 0)
          return Effect.interruptible(this.wait(patience, late))
        this.taken++
        return Effect.void
      }),
      () => work,
      () => Effect.sync(() => this.release()),
    )
  }

  private wait(patience: number, late: () => void): Effect.Effect<void> {
    return Effect.withFiber((fiber) =>
      Effect.callback<void>((resume) => {
        const timer = Effect.runForkWith(fiber.context)(
          Effect.andThen(Effect.sleep(patience), Effect.sync(late)),
        )
        const enter = () => {
          this.taken++
          timer.interruptUnsafe()
          resume(Effect.void)
        }
        this.waiting.push(enter)
        return Effect.sync(() => {
          timer.interruptUnsafe()
          const index = this.waiting.indexOf(enter)
          if (index >= 0) this.waiting.splice(index, 1)
          else this.release()
        })
      }),
    )
  }

  /** Admits the next call in a microtask, so that none starts while all of them are being interrupted. */
  private release(): void {
    this.taken--
    queueMicrotask(() => {
      if (this.taken < this.limit) this.waiting.shift()?.()
    })
  }
}
