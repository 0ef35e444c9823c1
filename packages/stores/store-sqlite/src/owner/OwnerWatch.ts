/** Decides whether the owners of runs are alive: by their processes if visible, otherwise by their heartbeats. */
import type { Clock } from "effect/Clock"
import { processState, type Owner } from "./Owner.ts"

/** An owner whose heartbeat does not change for this many intervals is dead. */
const MISSED_HEARTBEATS = 5

/** After a longer gap between two checks the observation restarts: the observer itself may have been frozen. */
const MAX_CHECK_GAP_HEARTBEATS = 2

const NANOS_PER_MS = 1_000_000n

interface Observation {
  readonly owner: string
  readonly heartbeat: number
  /** When the heartbeat was first seen at this value; milliseconds of this process's monotonic clock. */
  readonly since: number
  checkedAt: number
}

/**
 * Never compares clocks of two processes: it measures how long this process has seen the same heartbeat. The monotonic
 * clock pauses while the machine sleeps, as do all its processes, but not while a single process is stopped.
 */
export class OwnerWatch {
  private readonly clock: Clock
  private readonly observed = new Map<number, Observation>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Runs whose owners need repeated checks. */
  get runs(): ReadonlyArray<number> {
    return [...this.observed.keys()]
  }

  /** Checks the owner of a run from its current row; false if the owner is certainly dead. */
  isAlive(run: number, owner: string, heartbeat: number): boolean {
    const identity = JSON.parse(owner) as Owner
    const state = processState(identity)
    if (state === "dead") {
      this.forget(run)
      return false
    }
    const now = Number(this.clock.monotonicTimeNanosUnsafe() / NANOS_PER_MS)
    const last = this.observed.get(run)
    if (
      last === undefined ||
      state === "stopped" ||
      last.owner !== owner ||
      last.heartbeat !== heartbeat ||
      now - last.checkedAt > MAX_CHECK_GAP_HEARTBEATS * identity.heartbeatMs
    ) {
      this.observed.set(run, { owner, heartbeat, since: now, checkedAt: now })
      return true
    }
    last.checkedAt = now
    return now - last.since < MISSED_HEARTBEATS * identity.heartbeatMs
  }

  /** Stops watching a run without an owner. */
  forget(run: number): void {
    this.observed.delete(run)
  }
}
