/** Writes a text to a terminal while it arrives, wrapped as `wrap` would wrap the whole. */
import type { Screen } from "./Screen.ts"
import { visible, wrapLine } from "./text.ts"

const CLEAR_LINE = "\u001b[K"
const CLEAR_BELOW = "\u001b[J"

/** An escape sequence, a line break or a character of which the rest may still come. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const unfinished = /(?:\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*)?|\r|[\ud800-\udbff])$/

/** A sequence that never ends must not hold back the text for good. */
const MAX_HELD_CHARS = 64

export class TextStream {
  private readonly screen: Pick<Screen, "columns" | "rows" | "write">
  private readonly indent: string
  private readonly width: () => number
  private held = ""
  /** The text of the current row and those that follow it, up to the next line break. */
  private line = ""
  /** Set in a row that continues a line: the blanks before it. */
  private hanging: string | undefined
  private row = ""
  /** Rows above the current one. */
  private rows = 0
  private isOpen = false
  /** Other output stands below the text so far. */
  private isCovered = false

  constructor(
    screen: Pick<Screen, "columns" | "rows" | "write">,
    indent: string,
    width: () => number,
  ) {
    this.screen = screen
    this.indent = indent
    this.width = width
  }

  write(text: string): void {
    const whole = this.held + text
    const tail = unfinished.exec(whole)?.[0] ?? ""
    this.held = tail.length > MAX_HELD_CHARS ? "" : tail
    const lines = visible(whole.slice(0, whole.length - this.held.length)).split("\n")
    let out = ""
    lines.forEach((piece, index) => {
      if (index > 0) {
        out += "\n"
        this.rows++
        this.line = ""
        this.row = ""
        this.hanging = undefined
      }
      if (piece !== "") out += this.extend(piece)
    })
    if (out === "") return
    this.isOpen = true
    this.screen.write(out)
  }

  /** What must be written so that the current line ends with the piece. */
  private extend(piece: string): string {
    this.line += piece
    const { hanging, rows } = wrapLine(this.line, Math.max(20, this.width()), this.hanging)
    let out = ""
    rows.forEach(({ text, from }, index) => {
      if (index > 0) {
        out += "\n"
        this.rows++
        this.row = ""
        this.hanging = hanging
      }
      if (index === rows.length - 1) this.line = this.line.slice(from)
      out += this.draw(text)
    })
    return out
  }

  private draw(row: string): string {
    const { row: drawn } = this
    this.row = row
    if (row === drawn) return ""
    if (drawn !== "" && row.startsWith(drawn)) return row.slice(drawn.length)
    return `${drawn === "" ? "" : `\r${CLEAR_LINE}`}${row === "" ? "" : this.indent}${row}`
  }

  /** Removes the text from the screen; false if it has scrolled away or other output follows it. */
  erase(): boolean {
    const rows = this.rows
    const wasOpen = this.isOpen
    const isGone = this.isCovered || rows >= this.screen.rows() - 1
    this.held = ""
    this.line = ""
    this.row = ""
    this.hanging = undefined
    this.rows = 0
    this.isCovered = false
    if (!wasOpen) return true
    if (isGone) {
      this.screen.write("\n")
      this.isOpen = false
      return false
    }
    this.screen.write(`${rows === 0 ? "" : `\u001b[${rows}A`}\r${CLEAR_BELOW}`)
    this.isOpen = false
    return true
  }

  /** Ends the current row, so that other output can follow. */
  end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.isCovered = true
    this.row = ""
    this.screen.write("\n")
  }
}
