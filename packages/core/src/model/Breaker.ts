/** A circuit breaker: after failures in a row of time, a provider is left alone until a probe gets an answer. */
import type { FailureClass } from "@planloom/plugin"
import type { BreakerPolicy } from "@planloom/language"

/** Failures that say the provider is not there, rather than that it refuses this request. */
const absent: ReadonlySet<FailureClass> = new Set<FailureClass>([
  "unavailable",
  "overloaded",
  "timeout",
])

/** Of one provider. Times are epoch milliseconds. */
export class Breaker {
  /** When calls failed, oldest first. */
  private failures: ReadonlyArray<number> = []
  private openedAt: number | undefined
  private probing = false

  /** Milliseconds until the provider may be asked again, or whether the call is the probe. */
  enter(policy: BreakerPolicy, now: number): number | "closed" | "probe" {
    if (this.openedAt === undefined) return "closed"
    const left = this.openedAt + policy.probe_after - now
    if (left > 0) return left
    // Whoever probes will know soon; nobody can say when.
    if (this.probing) return 1000
    this.probing = true
    return "probe"
  }

  /** `failure` is undefined when the provider answered, and `interrupted` when nobody waited for it. */
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
