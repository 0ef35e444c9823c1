/** One reply as parts of the outputs that read it: reasoning and secrets are taken out on the way. */
import type { ReplyReader } from "../../model/ReplyReader.ts"
import { VisibleText } from "../../model/VisibleText.ts"
import { SecretFilter } from "../journal/SecretFilter.ts"
import type { Secrets } from "../journal/scrub.ts"
import { each, type OutputParts, type ResetCause, type Waiting } from "./OutputParts.ts"

export class ReplyParts implements ReplyReader {
  private readonly parts: OutputParts
  private readonly outputs: ReadonlyArray<string>
  private readonly message: string
  private readonly secrets: Secrets | undefined
  private cause: ResetCause
  private visible = new VisibleText()
  private clean: SecretFilter | undefined

  constructor(given: {
    readonly parts: OutputParts
    readonly outputs: ReadonlyArray<string>
    readonly message: string
    /** Why this reply replaces an earlier one. */
    readonly cause: ResetCause
    readonly secrets: Secrets | undefined
  }) {
    this.parts = given.parts
    this.outputs = given.outputs
    this.message = given.message
    this.secrets = given.secrets
    this.cause = given.cause
  }

  open(): Waiting {
    const { cause, message, parts } = this
    this.visible = new VisibleText()
    this.clean = this.secrets && new SecretFilter(this.secrets)
    // A second request of the same call is one to another model.
    this.cause = "fallback"
    return each(this.outputs, (output) => parts.open(output, message, cause))
  }

  push(raw: string): Waiting {
    const visible = this.visible.push(raw)
    const text = this.clean === undefined || visible === "" ? visible : this.clean.push(visible)
    if (text === "") return undefined
    const { outputs, parts } = this
    return outputs.length === 1
      ? parts.text(outputs[0]!, text)
      : each(outputs, (output) => parts.text(output, text))
  }

  /** The reply's text, as its stage sees it. */
  end(text: string): Waiting {
    const { message, outputs, parts } = this
    return each(outputs, (output) => parts.end(output, message, text))
  }
}
