/** Decides whether the owners of runs are alive: by their processes where these can be seen, otherwise by watching heartbeats. */
import type { Clock } from "effect/Clock"
import { processState, type Owner } from "./Owner.ts"

/** An owner whose heartbeat stands still for so many of its intervals is dead. */
const MISSED_HEARTBEATS = 5

/** Looks further apart than so many heartbeats are no observation: the observer itself may have been frozen. */
const LOOK_GAP_HEARTBEATS = 2

const NANOS_PER_MS = 1_000_000n

interface Observation {
  readonly owner: string
  readonly heartbeat: number
  /** Since when the heartbeat has been seen standing still; milliseconds of this process's monotonic clock. */
  readonly since: number
  lookedAt: number
}

/**
 * Compares no clocks of two processes: what counts is how long this one has seen the same number. The monotonic clock
 * stands still while the machine sleeps, and so do all processes on it; it does not for a process that is stopped.
 */
export class OwnerWatch {
  private readonly clock: Clock
  private readonly observed = new Map<number, Observation>()

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Runs whose owners have to be looked at again and again. */
  get runs(): ReadonlyArray<number> {
    return [...this.observed.keys()]
  }

  /** A look at the owner of a run, as its row has it now: false when the owner is certainly dead. */
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
      now - last.lookedAt > LOOK_GAP_HEARTBEATS * identity.heartbeatMs
    ) {
      this.observed.set(run, { owner, heartbeat, since: now, lookedAt: now })
      return true
    }
    last.lookedAt = now
    return now - last.since < MISSED_HEARTBEATS * identity.heartbeatMs
  }

  /** The run has no owner any more. */
  forget(run: number): void {
    this.observed.delete(run)
  }
}
