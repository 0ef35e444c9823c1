/** The text of a reply while it is being written, without what may be reasoning. */

/**
 * Releases text as soon as `splitReasoning` cannot take it out any more, trimmed at both ends. What it still holds at the
 * end is decided by `splitReasoning` over the whole reply. A lone closing tag at the front is the exception: what stands
 * before it has been released by then.
 */
export class VisibleText {
  /** From here on the text is not decided: `scanned` and `released` are indices into it. */
  private buffer = ""
  /** What leaves with the current call. */
  private out = ""
  private scanned = 0
  private released = 0
  /** The search for an end continues here. */
  private searched = 0
  /** `thought`: after an opening tag. `stopped`: nothing more leaves before the end. */
  private mode: "text" | "fence" | "code" | "thought" | "stopped" = "text"
  /** The name of the opening tag. */
  private tag = ""
  private blank = ""
  private hasText = false

  /** The text that may leave now. */
  push(text: string): string {
    if (this.buffer === "" && this.mode === "text" && !special.test(text)) {
      return this.trimmed(text)
    }
    this.buffer += text
    this.out = ""
    while (this.scanned < this.buffer.length && this.step()) continue
    this.forget()
    return this.trimmed(this.out)
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
        return this.inThought()
      case "stopped":
        this.buffer = ""
        return false
    }
  }

  private inText(): boolean {
    const { buffer } = this
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
        this.release(buffer.length)
        return false
      }
      this.to(at + 1)
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
    this.tag = tag
    this.mode = "thought"
    this.drop(at + tag.length + 2)
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
    this.release(buffer.length)
    this.scanned = Math.max(this.scanned, buffer.length - 2)
    return false
  }

  /** After one mark: code if a second one follows on its line. Until then, tags in it are held back. */
  private inCode(): boolean {
    const { buffer } = this
    const end = indexOfEnd(buffer, this.searched)
    const isCode = buffer[end] === "`"
    const tag = isCode ? -1 : buffer.indexOf("<", this.scanned)
    this.to(isCode ? end + 1 : tag >= 0 && tag < end ? tag : end)
    if (end < buffer.length) {
      this.mode = "text"
      return true
    }
    this.searched = end
    if (end - this.scanned > MAX_HELD_CHARS) this.mode = "stopped"
    return false
  }

  /** A tag within a line that is never closed is text, which only the end of the reply decides. */
  private inThought(): boolean {
    const { buffer, tag } = this
    const end = buffer.search(closings[tag]!)
    const length = tag.length + 3
    if (end < 0) {
      this.drop(Math.max(0, buffer.length - length + 1))
      return false
    }
    this.mode = "text"
    this.drop(end + length)
    return this.buffer !== ""
  }

  private to(index: number): void {
    this.scanned = index
    this.release(index)
  }

  private release(index: number): void {
    if (index <= this.released) return
    this.out += this.buffer.slice(this.released, index)
    this.released = index
  }

  /** Drops the text up to the index, which does not leave. */
  private drop(index: number): void {
    this.buffer = this.buffer.slice(index)
    this.scanned = 0
    this.released = 0
    this.searched = 0
  }

  /** Drops what is decided and has left. */
  private forget(): void {
    const decided = Math.min(this.scanned, this.released)
    if (decided === 0) return
    this.buffer = this.buffer.slice(decided)
    this.scanned -= decided
    this.released -= decided
    this.searched = Math.max(0, this.searched - decided)
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

/** Of a line with a tag after an open mark. Longer, the search for its end would take quadratic time. */
const MAX_HELD_CHARS = 4096

const closings: { readonly [tag: string]: RegExp } = {
  reasoning: /<\/reasoning>/i,
  think: /<\/think>/i,
  thinking: /<\/thinking>/i,
}
const names = Object.keys(closings)
const longestTag = "<reasoning>".length

const indexOfSpecial = (text: string, from: number): number => firstOf(text, "<", "`", from)

const indexOfEnd = (text: string, from: number): number => firstOf(text, "`", "\n", from)

const firstOf = (text: string, one: string, other: string, from: number): number => {
  const first = text.indexOf(one, from)
  const second = text.indexOf(other, from)
  const end = text.length
  return Math.min(first < 0 ? end : first, second < 0 ? end : second)
}

/** The name of the opening tag at the index; `unfinished` if the text ends before it can be known. */
const tagAt = (text: string, at: number): string | "unfinished" | undefined => {
  const start = text.slice(at, at + longestTag).toLowerCase()
  const name = names.find((one) => start.startsWith(`<${one}>`))
  if (name !== undefined) return name
  return names.some((one) => `<${one}>`.startsWith(start)) ? "unfinished" : undefined
}
