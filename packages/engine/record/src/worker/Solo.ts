/** Decides which due run may start: one that may be what ended earlier processes executes alone until it has recorded a step. */
import type { RunRecord } from "@planloom/plugin/effect"
import { isSuspect } from "./abandon.ts"
import type { RunUnderWay } from "./leaveRuns.ts"

/** How long a suspect waits for the runs under way before no others are started. */
const PATIENCE_MS = 10_000

export class Solo {
  /** The run that executes alone. */
  run: string | undefined
  /** Since when a due suspect waits for the runs under way; milliseconds. */
  private waitingSince: number | undefined
  private hasMet = false
  private unwatch: (() => void) | undefined

  /** Keeps what ends the watch on the run's steps. */
  watch(unwatch: (() => void) | undefined): void {
    this.unwatch = unwatch
  }

  /** Lets other runs start again, if this one executes alone. */
  leave(run: string): void {
    if (this.run !== run) return
    this.run = undefined
    this.unwatch?.()
  }

  /** Before all due runs are considered. */
  begin(): void {
    this.hasMet = false
  }

  /** After all of them were considered: a suspect that was not met is at work elsewhere. */
  end(): void {
    if (!this.hasMet) this.waitingSince = undefined
  }

  /** Whether no run may start before a suspect has. */
  isDue(now: number): boolean {
    return this.waitingSince !== undefined && now - this.waitingSince >= PATIENCE_MS
  }

  /** Whether the run may start beside those under way: a suspect beside earlier suspects only, which have recorded a step. */
  admits(record: RunRecord, underWay: Iterable<RunUnderWay>, now: number): boolean {
    if (this.run !== undefined) return false
    if (!isSuspect(record)) return !this.isDue(now)
    for (const other of underWay) {
      if (other.isSuspect) continue
      this.hasMet = true
      this.waitingSince ??= now
      return false
    }
    this.waitingSince = undefined
    this.run = record.run
    return true
  }
}
