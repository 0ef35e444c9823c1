/** One reply as text of the outputs that read it, without reasoning and secrets. */
import type { ReplyReader } from "./ReplyReader.ts"
import { each, type Waiting } from "./OutputParts.ts"
import { ReplyFilter, type ReplyOutputs } from "./ReplyFilter.ts"

export class ReplyParts implements ReplyReader {
  private readonly given: ReplyOutputs
  private filter: ReplyFilter
  private show: ((text: string) => string) | undefined
  private isSecond = false

  constructor(given: ReplyOutputs) {
    this.given = given
    this.filter = new ReplyFilter(given.redacting)
  }

  open(): Waiting {
    const { message, outputs, parts, redacting, showing } = this.given
    // A second request of the same call is one to another model.
    const cause = this.isSecond ? "fallback" : this.given.cause
    this.isSecond = true
    this.filter = new ReplyFilter(redacting)
    this.show = showing?.open()
    return each(outputs, (output) => parts.open(output, message, cause))
  }

  push(raw: string): Waiting {
    const text = this.filter.push(raw)
    return text === "" ? undefined : this.deliver(text)
  }

  /** Gives text that was filtered before. */
  deliver(given: string): Waiting {
    const { outputs, parts } = this.given
    const text = this.show === undefined ? given : this.show(given)
    if (text === "") return undefined
    return outputs.length === 1
      ? parts.text(outputs[0]!, text)
      : each(outputs, (output) => parts.text(output, text))
  }

  /** The reply is not the output: it calls tools. */
  discard(): Waiting {
    const { message, outputs, parts } = this.given
    return each(outputs, (output) => parts.discard(output, message))
  }

  /** The reply's text, as its stage sees it. */
  end(text: string): Waiting {
    const { message, outputs, parts, showing } = this.given
    const shown = showing === undefined ? text : showing.whole(text)
    return each(outputs, (output) => parts.end(output, message, shown))
  }
}
