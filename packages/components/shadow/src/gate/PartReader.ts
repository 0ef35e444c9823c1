/** Reviewers that read a reply in parts: validators on the stream, or subagents on its blocks. */
import type { GateContext } from "@planloom/plugin/effect"
import type { About, Panel, PanelMember } from "../review/Panel.ts"
import { PartReviews } from "./Passage.ts"
import { SpanBuffer } from "./SpanBuffer.ts"

export abstract class PartReader {
  protected readonly panel: Panel
  protected readonly members: ReadonlyArray<PanelMember>
  protected readonly about: About
  protected readonly context: GateContext
  protected readonly buffer = new SpanBuffer()
  readonly reviews: ReadonlyMap<PanelMember, PartReviews>
  /** Whether the text differs from what the model wrote. */
  hasReplaced = false

  constructor(
    panel: Panel,
    members: ReadonlyArray<PanelMember>,
    about: About,
    context: GateContext,
  ) {
    this.panel = panel
    this.members = members
    this.about = about
    this.context = context
    this.reviews = new Map(members.map((member) => [member, new PartReviews()]))
  }
}
