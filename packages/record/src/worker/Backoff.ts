/** Runs that could not be taken up, and until when they are left alone: one that is due as before would be taken up at once, for ever. */
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { RunRecord } from "@planloom/plugin"
import { InputsRejected } from "@planloom/core"

/** Milliseconds before a run is tried again: twice as many each time, up to the most. */
const FIRST_DELAY = 5000
const MOST_DELAY = 300_000

interface Held {
  readonly epoch: number
  readonly tries: number
  readonly notBefore: number
}

export class Backoff {
  private readonly runs = new Map<string, Held>()

  /** Not yet, as long as nobody else has taken it up since. */
  holds({ epoch, run }: RunRecord, now: number): boolean {
    const held = this.runs.get(run)
    return held !== undefined && held.epoch === epoch && held.notBefore > now
  }

  release(run: string): void {
    this.runs.delete(run)
  }

  /**
   * Holds back a run that has not ended with this exit; gives the epoch milliseconds before which it is left
   * alone, `Infinity` when something has to change first. `after` is its record now.
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
    // Another process is at work on it.
    if (after.active) return undefined
    const error = Option.getOrUndefined(Exit.findErrorOption(exit))
    const tries = (this.runs.get(run)?.tries ?? 0) + 1
    const notBefore =
      error instanceof InputsRejected
        ? Number.POSITIVE_INFINITY
        : now + Math.min(MOST_DELAY, FIRST_DELAY * 2 ** (tries - 1))
    this.runs.set(run, { epoch: after.epoch, tries, notBefore })
    return notBefore
  }
}
