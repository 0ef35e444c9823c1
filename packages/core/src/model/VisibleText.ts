/** The text of a reply while it is being written, without what may be reasoning. */

/**
 * Releases text as soon as `splitReasoning` cannot take it out any more, trimmed at both ends. What it still holds at the
 * end is decided by `splitReasoning` over the whole reply. A lone closing tag at the front is the exception: what stands
 * before it has been released by then.
 */
export class VisibleText {
  /** From here on the text is not decided: `scanned` and `released` are indices into it. */
  private buffer = ""
  private scanned = 0
  private released = 0
  /** The search for an end continues here. */
  private searched = 0
  /** `doubt`: after an opening tag within a line, which counts only if it is closed. */
  private mode: "text" | "fence" | "code" | "thought" | "doubt" = "text"
  private closing = ""
  /** Before `buffer`, its line holds blanks only. */
  private beginsLine = true
  private blank = ""
  private hasText = false

  /** The text that may leave now. */
  push(text: string): string {
    if (this.buffer === "" && this.mode === "text" && !special.test(text)) {
      this.passed(text)
      return this.trimmed(text)
    }
    this.buffer += text
    let out = ""
    while (this.scanned < this.buffer.length) {
      const before = this.released
      const isDecided = this.step()
      if (this.released > before && this.mode !== "thought") {
        out += this.buffer.slice(before, this.released)
      }
      if (!isDecided) break
    }
    this.forget()
    return this.trimmed(out)
  }

  /** Scans up to the next mark; false when more text is needed. */
  private step(): boolean {
    switch (this.mode) {
      case "text":
        return this.inText()
      case "fence":
        return this.inFence()
      case "code":
        return this.inCode()
      case "thought":
      case "doubt":
        return this.inThought()
    }
  }

  private inText(): boolean {
    const { buffer } = this
    special.lastIndex = 0
    const at = indexOfSpecial(buffer, this.scanned)
    this.to(at)
    if (at === buffer.length) return false
    if (buffer[at] === "`") {
      if (buffer.startsWith("```", at)) {
        this.to(at + 3)
        this.mode = "fence"
        return true
      }
      // One or two marks may yet become three.
      if (buffer.length - at < 3 && /^`+$/.test(buffer.slice(at))) {
        this.released = buffer.length
        return false
      }
      this.mode = "code"
      this.searched = at + 1
      return true
    }
    const tag = tagAt(buffer, at)
    if (tag === "unfinished") return false
    if (tag === undefined) {
      this.to(at + 1)
      return true
    }
    this.closing = `</${tag}>`
    this.mode = this.standsAtLineStart(at) ? "thought" : "doubt"
    this.searched = at + tag.length + 2
    return true
  }

  private inFence(): boolean {
    const { buffer } = this
    const end = buffer.indexOf("```", this.scanned)
    if (end >= 0) {
      this.to(end + 3)
      this.mode = "text"
      return true
    }
    this.released = buffer.length
    this.scanned = Math.max(this.scanned, buffer.length - 2)
    return false
  }

  /** After one mark: code if a second one follows on its line. Until then, tags in it are held back. */
  private inCode(): boolean {
    const { buffer } = this
    for (let at = this.searched; at < buffer.length; at++) {
      const character = buffer[at]
      if (character !== "`" && character !== "\n") continue
      this.mode = "text"
      if (character === "`") this.to(at + 1)
      else {
        // No code after all: its tags count.
        this.scanned++
        this.released = Math.max(this.released, this.scanned)
      }
      return true
    }
    this.searched = buffer.length
    const tag = buffer.indexOf("<", Math.max(this.scanned, this.released))
    this.released = Math.max(this.released, tag < 0 ? buffer.length : tag)
    return false
  }

  private inThought(): boolean {
    const { buffer, closing } = this
    const end = buffer.toLowerCase().indexOf(closing, this.searched)
    if (end >= 0) {
      this.scanned = end + closing.length
      this.released = this.scanned
      this.mode = "text"
      this.forget()
      return this.buffer !== ""
    }
    this.searched = Math.max(this.searched, buffer.length - closing.length + 1)
    if (this.mode === "thought") this.released = this.searched
    return false
  }

  private to(index: number): void {
    this.scanned = index
    this.released = Math.max(this.released, index)
  }

  private standsAtLineStart(index: number): boolean {
    let before = index - 1
    while (this.buffer[before] === " " || this.buffer[before] === "\t") before--
    return before < 0 ? this.beginsLine : this.buffer[before] === "\n"
  }

  /** Drops what is decided and has left. */
  private forget(): void {
    const decided = this.mode === "thought" ? this.searched : Math.min(this.scanned, this.released)
    if (decided === 0) return
    this.passed(this.buffer.slice(0, decided))
    this.buffer = this.buffer.slice(decided)
    this.scanned = Math.max(0, this.scanned - decided)
    this.released = Math.max(0, this.released - decided)
    this.searched = Math.max(0, this.searched - decided)
  }

  private passed(text: string): void {
    const line = text.lastIndexOf("\n")
    this.beginsLine = (line >= 0 || this.beginsLine) && onlyBlanks.test(text.slice(line + 1))
  }

  /** Without blanks at the start, and with those at the end kept for what may follow. */
  private trimmed(text: string): string {
    if (text === "") return ""
    const whole = this.hasText ? this.blank + text : text.trimStart()
    const out = whole.trimEnd()
    if (out === "") {
      this.blank = this.hasText ? whole : ""
      return ""
    }
    this.hasText = true
    this.blank = whole.slice(out.length)
    return out
  }
}

const special = /[`<]/
const onlyBlanks = /^[ \t]*$/
const names = ["reasoning", "think", "thinking"]
const longestTag = "<reasoning>".length

const indexOfSpecial = (text: string, from: number): number => {
  const tag = text.indexOf("<", from)
  const code = text.indexOf("`", from)
  const end = text.length
  return Math.min(tag < 0 ? end : tag, code < 0 ? end : code)
}

/** The name of the opening tag at the index; `unfinished` if the text ends before it can be known. */
const tagAt = (text: string, at: number): string | "unfinished" | undefined => {
  const start = text.slice(at, at + longestTag).toLowerCase()
  const name = names.find((one) => start.startsWith(`<${one}>`))
  if (name !== undefined) return name
  return names.some((one) => `<${one}>`.startsWith(start)) ? "unfinished" : undefined
}
