/** Lets an observer follow a run beside the listener of the host. */
import type { Clock } from "effect/Clock"
import * as Effect from "effect/Effect"
import type { OpenedRun, RunObserver } from "@planloom/plugin/effect"
import type { RunOptions } from "../RunOptions.ts"

export const withObserver = (options: RunOptions, observer: RunObserver): RunOptions => {
  const { onEvent } = options
  return {
    ...options,
    onEvent: (event) => {
      observer.event(event)
      onEvent?.(event)
    },
  }
}

/** Gives the observer what was recorded when this process opens the run, not again when it opens it once more. */
export const withRecord = (
  observer: RunObserver | undefined,
): ((opened: OpenedRun | undefined) => void) => {
  let isOpened = false
  return (opened) => {
    const { events = [] } = opened ?? {}
    if (!isOpened && events.length > 0) observer?.resumed?.(events)
    isOpened = true
  }
}

/** Ends the observation with the work, also when the run is left without an end. */
export const untilEnd = <A, E>(
  observer: RunObserver,
  clock: Clock,
  work: Effect.Effect<A, E>,
): Effect.Effect<A, E> =>
  Effect.onExit(work, () => Effect.sync(() => observer.end(clock.currentTimeMillisUnsafe())))
