/** A run as an async iterable of its events. */
import type { RunEvent } from "@planloom/plugin/effect"
import type { Background } from "./runInBackground.ts"

export const eventStream = <A>(
  start: (onEvent: (event: RunEvent) => void, onEnd: () => void) => Background<A>,
): AsyncIterable<RunEvent> & { readonly result: Promise<A> } => {
  let waiting: Array<RunEvent> = []
  let wake: (() => void) | undefined
  const { cancel, hasEnded, result } = start(
    (event) => {
      waiting.push(event)
      wake?.()
    },
    () => wake?.(),
  )
  return {
    result,
    async *[Symbol.asyncIterator]() {
      try {
        while (true) {
          // In batches: removing single events from the front would take quadratic time.
          while (waiting.length > 0) {
            const batch = waiting
            waiting = []
            yield* batch
          }
          if (hasEnded()) return
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          wake = undefined
        }
      } finally {
        await cancel()
      }
    },
  }
}
