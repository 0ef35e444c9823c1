/** Delays the next claim of runs that failed to resume, so that they are not claimed in a tight loop. */
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { RunRecord } from "@planloom/plugin/effect"
import { InputsRejected } from "@planloom/core"

/** The delay doubles with each failure in a row, up to the maximum. */
const FIRST_DELAY_MS = 5000
const MAX_DELAY_MS = 300_000

interface Delayed {
  readonly epoch: number
  readonly tries: number
  readonly notBefore: number
}

export class Backoff {
  private readonly runs = new Map<string, Delayed>()

  /** Whether the run must not be claimed yet; false once another process has claimed it since. */
  holds({ epoch, run }: RunRecord, now: number): boolean {
    const held = this.runs.get(run)
    return held !== undefined && held.epoch === epoch && held.notBefore > now
  }

  release(run: string): void {
    this.runs.delete(run)
  }

  /**
   * Delays a run that has not ended with this exit. Returns the epoch milliseconds before which it is not claimed,
   * `Infinity` when something has to change first. `after` is its current record.
   */
  hold(
    { run }: RunRecord,
    after: RunRecord | undefined,
    exit: Exit.Exit<unknown, unknown>,
    now: number,
  ): number | undefined {
    if (Exit.isSuccess(exit) || after === undefined || after.finishedAt !== undefined) {
      this.runs.delete(run)
      return undefined
    }
    if (Exit.hasInterrupts(exit)) return undefined
    // Another process owns it.
    if (after.active) return undefined
    const error = Option.getOrUndefined(Exit.findErrorOption(exit))
    const tries = (this.runs.get(run)?.tries ?? 0) + 1
    const notBefore =
      error instanceof InputsRejected
        ? Number.POSITIVE_INFINITY
        : now + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1))
    this.runs.set(run, { epoch: after.epoch, tries, notBefore })
    return notBefore
  }
}
