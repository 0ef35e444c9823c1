/** Port for telemetry: observes runs by their events, outside of what a run waits for. */
import type { RunEvent } from "../run/Event.ts"

/** Neither `observe` nor what it returns may throw, wait, or change the run. */
export interface Telemetry {
  /** Called when a process starts or resumes a run. */
  readonly observe: (run: ObservedRun) => RunObserver
}

export interface ObservedRun {
  readonly run: string
  readonly workflow: string
}

export interface RunObserver {
  /**
   * Called at most once, before the first event: the events that earlier processes have recorded of the run, also those
   * that a reset has made void.
   */
  readonly resumed?: (events: ReadonlyArray<RunEvent>) => void
  /** Receives every event of the run in order, without those that were emitted before a resume. */
  readonly event: (event: RunEvent) => void
  /** The process has ended its work on the run at this time, epoch milliseconds, with or without an event. */
  readonly end: (at: number) => void
}
