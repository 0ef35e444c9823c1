/** One validator on a stream: what it has decided, and what it reads again with more text. */
import type { Span } from "@planloom/plugin/effect"
import type { PanelMember } from "../review/Panel.ts"
import type { Mark } from "./spans.ts"

/** Positions count from the start of the reply. */
export class Guard {
  readonly member: PanelMember
  /** Places that it replaces, of text that has not left. */
  marks: ReadonlyArray<Mark> = []
  private until = -1

  constructor(member: PanelMember) {
    this.member = member
  }

  /** Where the text begins that it reads. */
  get start(): number {
    return Math.max(0, this.until - (this.member.facts.lookbehind ?? 0))
  }

  /** No more text changes what it finds before. */
  get decided(): number {
    return Math.max(0, this.until)
  }

  /** Whether a place of the text that it reads was not decided before. */
  isNew({ end }: Span): boolean {
    return this.start + end > this.until
  }

  /** Decides up to the open end of the text that it reads, or the start of a match that reaches into it. The places before it that are new. */
  settle(spans: ReadonlyArray<Span>, open: number): ReadonlyArray<Span> {
    const fresh = spans.filter((span) => this.isNew(span))
    let end = open
    for (
      let across: Span | undefined;
      (across = fresh.find((one) => one.start < end && one.end > end)) !== undefined;
      end = across.start
    );
    this.until = Math.max(this.until, this.start + end)
    return fresh.filter((span) => span.end <= end)
  }
}
