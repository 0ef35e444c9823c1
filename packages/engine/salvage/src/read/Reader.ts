/**
 * The tolerant reader of one value. It keeps its own stack, has bounded lookahead, and can pause anywhere for more
 * text: `run` throws `NeedMoreText`, and resumes when it is called again.
 */
import { BareText } from "./scalar/BareText.ts"
import { closeAt } from "./closeAt.ts"
import type { Frame } from "./Frame.ts"
import { isContainer, scalar } from "./Node.ts"
import { QuotedText, type QuotedEnd, SHOWN_NAME_UNITS } from "./string/QuotedText.ts"
import { readAfter } from "./readAfter.ts"
import { readColon, readName } from "./readName.ts"
import { ReaderState, type Token } from "./ReaderState.ts"
import { readFast } from "./readFast.ts"
import { readValue } from "./readValue.ts"
import { skipBlanks } from "./skipBlanks.ts"

export class Reader extends ReaderState {
  /** Reads to the end of the value or the text. */
  run(): void {
    while (this.frames.length > 0) {
      this.source.reach(this.unread)
      if (this.token === undefined) readFast(this)
      if (this.frames.length > 0) this.step()
    }
  }

  private step(): void {
    if (this.token !== undefined) return this.readToken(this.token)
    if (!skipBlanks(this)) return this.finish()
    const char = this.source.at(this.pos)
    const { frame } = this
    if (char === "`" && this.source.has("```", this.pos) && !this.opensBlock(frame))
      return this.closeAll()
    if (char === "<" && /[/|]/.test(this.source.char(this.pos + 1))) return this.closeAll()
    if (char === "}" || char === "]") return closeAt(this, char)
    if (char === ")" && (frame.form === "parens" || frame.form === "call")) return this.close()
    switch (frame.mode) {
      case "name":
        return readName(this, frame, char)
      case "colon":
        return readColon(this, frame, char)
      case "value":
        return readValue(this, frame, char)
      case "after":
        return readAfter(this, frame, char)
    }
  }

  private opensBlock(frame: Frame): boolean {
    return (
      frame.mode === "value" && frame.form !== "whole" && this.source.find("```", this.pos + 3) >= 0
    )
  }

  private readToken(token: Token): void {
    if (token instanceof QuotedText) this.finishQuoted(token, token.read(this))
    else if (token instanceof BareText) token.read(this)
  }

  private finishQuoted(token: QuotedText, end: QuotedEnd): void {
    this.token = undefined
    this.pos = end.next
    if (end.bare !== undefined) {
      this.repair("missing_quote", token.start, this.frame.node, end.text || undefined)
      this.token = new BareText(this.source, end.bare, token.position.role)
      return
    }
    const { frame } = this
    if (token.position.role === "key") {
      const name = end.text.slice(0, SHOWN_NAME_UNITS)
      for (const kind of end.repairs) this.repair(kind, token.start, frame.node, name)
      return this.setName(frame, end.text, token.start, end.next)
    }
    if (frame.joining !== undefined) {
      this.repair("joined_strings", token.start, frame.joining)
      frame.joining.value = `${String(frame.joining.value)}${end.text}`
      frame.joining.end = end.next
      frame.joining = undefined
      frame.mode = "after"
      return
    }
    const node = scalar("string", end.text, token.start, end.next)
    node.quoted = true
    node.closed = end.closed
    this.attach(frame, node)
    for (const kind of end.repairs) this.repair(kind, token.start, node)
  }

  /** Ends every open container: the text was cut. */
  private finish(): void {
    this.cut = true
    this.closeAll()
  }

  private closeAll(): void {
    const last = this.source.at(this.source.before(this.pos).at)
    // A cut text does not end in a bracket.
    const isCut = last !== "}" && last !== "]"
    while (this.frames.length > 0) {
      const { frame } = this
      this.popMissing(this.pos, isCut)
      if (this.cut && isContainer(frame.node)) frame.node.closed = false
    }
  }
}
