/** A run as an async iterable of its events. */
import type { RunEvent } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Background } from "./runInBackground.ts"

/** Events that wait for the reader; then the run starts no further step. */
const MAX_WAITING_EVENTS = 1024

/** How a run passes its events on. */
export interface EventSink {
  readonly onEvent: (event: RunEvent) => void
  readonly onEnd: () => void
  /** Ends when the reader has caught up; undefined while it has. */
  readonly pace: () => Effect.Effect<void> | undefined
}

/** A reader holds the run up unless `result` has been asked for: it may never be read then. */
export const eventStream = <A>(
  start: (sink: EventSink) => Background<A>,
): AsyncIterable<RunEvent> & { readonly result: Promise<A> } => {
  let waiting: Array<RunEvent> = []
  let wakeReader: (() => void) | undefined
  let wakeRun = new Set<() => void>()
  let isRelaxed = false
  const release = () => {
    const all = wakeRun
    wakeRun = new Set()
    for (const wake of all) wake()
  }
  const relax = () => {
    isRelaxed = true
    release()
  }
  const { cancel, hasEnded, result } = start({
    onEvent: (event) => {
      waiting.push(event)
      wakeReader?.()
    },
    onEnd: () => wakeReader?.(),
    pace: () =>
      isRelaxed || waiting.length < MAX_WAITING_EVENTS
        ? undefined
        : Effect.callback<void>((resume) => {
            const wake = () => resume(Effect.void)
            wakeRun.add(wake)
            return Effect.sync(() => wakeRun.delete(wake))
          }),
  })
  return {
    get result() {
      relax()
      return result
    },
    async *[Symbol.asyncIterator]() {
      try {
        while (true) {
          // In batches: removing single events from the front would take quadratic time.
          while (waiting.length > 0) {
            const batch = waiting
            waiting = []
            yield* batch
            release()
          }
          if (hasEnded()) return
          await new Promise<void>((resolve) => {
            wakeReader = resolve
          })
          wakeReader = undefined
        }
      } finally {
        relax()
        await cancel()
      }
    },
  }
}
