/** Listeners in this process to the events of runs that it records. */
import type { RunEvent } from "@planloom/plugin/effect"

type Listener = (events: ReadonlyArray<RunEvent>) => void

export class EventListeners {
  private readonly byRun = new Map<string, Set<Listener>>()

  /** Returns a function that removes the listener. */
  readonly add = (run: string, listener: Listener): (() => void) => {
    const listeners = this.byRun.get(run) ?? new Set()
    this.byRun.set(run, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.byRun.delete(run)
    }
  }

  readonly notify =
    (run: string): Listener =>
    (events) => {
      for (const listener of this.byRun.get(run) ?? []) listener(events)
    }
}
