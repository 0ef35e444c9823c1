/** Starts a run whose events or parts are iterated while it is under way. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"

/** A run that is under way. */
export interface Background<A> {
  readonly result: Promise<A>
  readonly hasEnded: () => boolean
  /** Cancels the run and waits for its end. */
  readonly cancel: () => Promise<void>
}

/** `onEnd` is called before `result` settles. */
export const runInBackground = <A>(
  work: Effect.Effect<unknown, unknown>,
  { signal }: { readonly signal: AbortSignal | undefined },
  settle: (exit: Exit.Exit<unknown, unknown>) => A,
  onEnd: () => void,
): Background<A> => {
  let ended = false
  const fiber = Effect.runFork(work, signal === undefined ? {} : { signal })
  const result = new Promise<A>((resolve, reject) => {
    fiber.addObserver((exit) => {
      ended = true
      onEnd()
      try {
        resolve(settle(exit))
      } catch (error) {
        reject(error as Error)
      }
    })
  })
  // The consumer may only iterate, and learns of the failure there.
  result.catch(() => undefined)
  return {
    result,
    hasEnded: () => ended,
    cancel: async () => {
      if (ended) return
      fiber.interruptUnsafe()
      await result.catch(() => undefined)
    },
  }
}
