/** Takes reasoning and secrets out of a reply while it is being written. */
import { VisibleText } from "../../model/reply/VisibleText.ts"
import { SecretFilter } from "../journal/SecretFilter.ts"
import type { Secrets } from "../journal/scrub.ts"
import type { OutputParts, ResetCause } from "./OutputParts.ts"

/** Where a reply goes. */
export interface ReplyOutputs {
  readonly parts: OutputParts
  readonly outputs: ReadonlyArray<string>
  readonly message: string
  /** Why this reply replaces an earlier one. */
  readonly cause: ResetCause
  readonly secrets: Secrets | undefined
}

export class ReplyFilter {
  private readonly visible = new VisibleText()
  private readonly clean: SecretFilter | undefined

  constructor(secrets: Secrets | undefined) {
    this.clean = secrets && new SecretFilter(secrets)
  }

  /** The text that may leave now. */
  push(raw: string): string {
    const visible = this.visible.push(raw)
    return this.clean === undefined || visible === "" ? visible : this.clean.push(visible)
  }
}
