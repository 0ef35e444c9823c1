/** A circuit breaker: after repeated failures within a period, a provider is not called until a probe succeeds. */
import type { FailureClass } from "@planloom/plugin/effect"
import type { BreakerPolicy } from "@planloom/language"

/** Failure classes of an unavailable provider, as opposed to a refused request. */
const absent: ReadonlySet<FailureClass> = new Set<FailureClass>([
  "unavailable",
  "overloaded",
  "timeout",
])

/** Delay suggested to calls while a probe is under way. */
const PROBE_RETRY_MS = 1000

/** The breaker of one provider. Times are epoch milliseconds. */
export class Breaker {
  /** When calls failed, oldest first. */
  private failures: ReadonlyArray<number> = []
  private openedAt: number | undefined
  private probing = false

  /** Milliseconds until the provider may be called again, or whether the call is the probe. */
  enter(policy: BreakerPolicy, now: number): number | "closed" | "probe" {
    if (this.openedAt === undefined) return "closed"
    const left = this.openedAt + policy.probe_after - now
    if (left > 0) return left
    // The outcome of the probe is expected soon, at an unknown time.
    if (this.probing) return PROBE_RETRY_MS
    this.probing = true
    return "probe"
  }

  /** `failure` is undefined when the provider answered, and `interrupted` when the call was cancelled. */
  leave(
    policy: BreakerPolicy,
    now: number,
    probe: boolean,
    failure: FailureClass | "interrupted" | undefined,
  ): void {
    if (probe) this.probing = false
    if (failure === "interrupted") return
    if (failure === undefined || !absent.has(failure)) {
      if (failure === undefined) this.failures = []
      if (probe) this.openedAt = undefined
      return
    }
    this.failures = [...this.failures.filter((at) => at > now - policy.within), now]
    if (probe || this.failures.length >= policy.failures) {
      this.openedAt = now
      this.failures = []
    }
  }
}
