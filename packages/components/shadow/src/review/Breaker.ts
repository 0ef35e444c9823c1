/** Circuit breakers of reviewers: one that keeps failing is not asked until a probe passes. */
import { parseDuration } from "@planloom/plugin/duration"
import type { ShadowConfig } from "../ShadowConfig.ts"

interface State {
  /** Epoch milliseconds of the failures that still count. */
  failures: Array<number>
  /** When a probe may start; undefined while the breaker is closed. */
  probeAt: number | undefined
}

/** Shared by all runs of a workflow. */
export class Breakers {
  private readonly settings: { failures: number; withinMs: number; probeMs: number } | undefined
  private readonly states = new Map<string, State>()

  constructor(config: ShadowConfig["breaker"]) {
    this.settings = config && {
      failures: config.failures,
      withinMs: parseDuration(config.within)!,
      probeMs: parseDuration(config.probe_after)!,
    }
  }

  /** Whether the reviewer may be asked. While a probe is under way no other review is. */
  admits(reviewer: string, now: number): boolean {
    const state = this.states.get(reviewer)
    if (this.settings === undefined || state?.probeAt === undefined) return true
    if (now < state.probeAt) return false
    state.probeAt = now + this.settings.probeMs
    return true
  }

  ended(reviewer: string, ok: boolean, now: number): void {
    const { settings } = this
    if (settings === undefined) return
    if (ok) {
      this.states.delete(reviewer)
      return
    }
    const state = this.states.get(reviewer) ?? { failures: [], probeAt: undefined }
    state.failures = [...state.failures.filter((at) => at > now - settings.withinMs), now]
    if (state.probeAt !== undefined || state.failures.length >= settings.failures) {
      state.probeAt = now + settings.probeMs
    }
    this.states.set(reviewer, state)
  }
}
