/** Progress reports of a tool call: one line at a time, no more often than a person reads. */
import * as Effect from "effect/Effect"
import type { ToolInvocation } from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import { nameOf, type ToolCallRequest } from "./ToolCallRequest.ts"
import { oneLine } from "./summaryOf.ts"

/** Least time between two reports of a call. */
const INTERVAL_MS = 250

/** Reports of one call. */
const MAX_REPORTS = 1000

export class ToolProgress {
  private readonly request: ToolCallRequest
  private reports = 0
  private last = -Infinity

  constructor(request: ToolCallRequest) {
    this.request = request
  }

  /** Drops what comes too soon after a report. The tool's words pass the gate as what its stage shows; a gate that fails shows nothing. */
  readonly report: ToolInvocation["progress"] = (message, fraction) =>
    Effect.suspend(() => {
      const { site } = this.request
      const now = site.clock()
      if (now - this.last < INTERVAL_MS || this.reports >= MAX_REPORTS) return Effect.void
      this.last = now
      const name = below(nameOf(this.request), "shown", ++this.reports)
      const line = oneLine(String(message))
      return Effect.match(site.shownAs(name, line), {
        onFailure: () => undefined,
        onSuccess: ({ isBlocked, value }) => {
          if (!isBlocked) this.emit(value, fraction)
        },
      })
    })

  private emit(message: string, fraction: number | undefined): void {
    const { key, site, tool } = this.request
    const { path, stage } = site
    site.emit({
      type: "ToolProgressed",
      path,
      stage,
      tool,
      key,
      message,
      ...(Number.isFinite(fraction) ? { fraction: Math.min(Math.max(fraction!, 0), 1) } : {}),
    })
  }
}
