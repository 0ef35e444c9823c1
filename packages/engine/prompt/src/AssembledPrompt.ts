/** What a model reads before the messages, and the tools that it is offered. */
import type { ModelRequest, Section, ToolOffer } from "@planloom/plugin/effect"
import type { SectionCut } from "./fitSections.ts"

export interface AssembledPrompt {
  readonly sections: ReadonlyArray<Section>
  readonly offers: ReadonlyArray<ToolOffer>
  /** Empty without one. */
  readonly mode: string
  /** What its mode shortened or dropped, so that it is not too long. */
  readonly cuts: ReadonlyArray<SectionCut>
  /** The declarations of `offers`, of a prompt that is kept. */
  readonly declared?: ModelRequest["tools"]
}
