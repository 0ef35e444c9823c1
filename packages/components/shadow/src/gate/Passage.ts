/** Text on its way through a gate, and what its reviewers found so far. */
import type { Reviewed, Span } from "@planloom/plugin/effect"
import { severity, type Judged } from "../verdict/Outcome.ts"

/** What passes from one part of a gate to the next; nothing follows a block. */
export type Passed = { readonly text: string } | Blocked

export interface Blocked {
  readonly blocked: Judged
  /** What was held back up to the end of the blocked part. It never leaves the gate: the review queue keeps it. */
  readonly text: string
}

export const isBlocked = (passed: Passed): passed is Blocked => "blocked" in passed

interface Kept {
  readonly reviewed: Reviewed
  readonly judged: Judged
}

/** The reviews of one reviewer over the parts of a reply, as one: the most severe, with all its places. */
export class PartReviews {
  private worst: Kept | undefined
  private readonly spans = new Map<string, { start: number; end: number; text?: string }>()
  private ms = 0

  /** `offset`: where the reviewed text starts in the reply. `spans`: those of the finding that count. */
  add(
    reviewed: Reviewed,
    judged: Judged,
    offset: number,
    spans: ReadonlyArray<Span> = judged.finding.spans ?? [],
  ): void {
    this.ms += judged.ms
    for (const { end, start, ...more } of spans) {
      const span = { start: start + offset, end: end + offset, ...more }
      this.spans.set(`${span.start}:${span.end}`, span)
    }
    if (spans.length === 0 && judged.finding.spans?.length) return
    const { worst } = this
    if (
      worst === undefined ||
      severity(judged.finding.verdict) > severity(worst.judged.finding.verdict)
    ) {
      this.worst = { reviewed, judged }
    }
  }

  /** Undefined if nothing was reviewed. */
  get whole(): Kept | undefined {
    const { ms, worst } = this
    if (worst === undefined) return undefined
    const spans = [...this.spans.values()]
    const { finding } = worst.judged
    const all = spans.length === 0 ? finding : { ...finding, spans }
    const { reviewed } = worst
    return {
      judged: { ...worst.judged, ms, finding: all },
      reviewed:
        reviewed.cause === "verdict"
          ? {
              ...reviewed,
              ms,
              finding: spans.length === 0 ? reviewed.finding : { ...reviewed.finding, spans },
            }
          : { ...reviewed, ms },
    }
  }
}
