/** Several observers of runs as one. */
import type { Telemetry } from "@planloom/plugin/effect"

export const together = (one: Telemetry, other: Telemetry): Telemetry => ({
  observe: (run) => {
    const first = one.observe(run)
    const second = other.observe(run)
    return {
      resumed: (events) => {
        first.resumed?.(events)
        second.resumed?.(events)
      },
      event: (event) => {
        first.event(event)
        second.event(event)
      },
      end: (at) => {
        first.end(at)
        second.end(at)
      },
    }
  },
})
