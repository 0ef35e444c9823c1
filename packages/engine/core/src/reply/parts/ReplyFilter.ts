/** Takes reasoning and secrets out of a reply while it is being written. */
import type { Showing } from "@planloom/plugin/effect"
import { VisibleText } from "../text/VisibleText.ts"
import type { OutputParts, ResetCause } from "./OutputParts.ts"

/** Redacts a text while it is written; it may hold back an end. */
export interface TextFilter {
  readonly push: (text: string) => string
}

/** Where a reply goes. */
export interface ReplyOutputs {
  readonly parts: OutputParts
  readonly outputs: ReadonlyArray<string>
  readonly message: string
  /** Why this reply replaces an earlier one. */
  readonly cause: ResetCause
  /** Made anew for each request; undefined without secrets. */
  readonly redacting: (() => TextFilter) | undefined
  /** The shown part, unless that is all. */
  readonly showing?: Showing | undefined
}

export class ReplyFilter {
  private readonly visible = new VisibleText()
  private readonly redacted: TextFilter | undefined

  constructor(redacting: ReplyOutputs["redacting"]) {
    this.redacted = redacting?.()
  }

  /** The text that may leave now. */
  push(raw: string): string {
    const visible = this.visible.push(raw)
    return this.redacted === undefined || visible === "" ? visible : this.redacted.push(visible)
  }
}
