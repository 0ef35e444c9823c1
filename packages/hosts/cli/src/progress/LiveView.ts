/** Draws a run's progress on a terminal, in place. */
import type { RunEvent } from "@planloom/plugin/effect"
import type { Screen } from "../terminal/Screen.ts"
import { widthOf } from "../terminal/text.ts"
import { frame, settledCount } from "./frame.ts"
import { Progress } from "./Progress.ts"

const FRAME_MS = 80

/** Synchronized output: terminals that support it show only whole frames; others ignore it. */
const BEGIN = "\u001b[?2026h"
const END = "\u001b[?2026l"
const HIDE_CURSOR = "\u001b[?25l"
const SHOW_CURSOR = "\u001b[?25h"
const CLEAR_LINE = "\u001b[K"
const CLEAR_BELOW = "\u001b[J"

export class LiveView {
  readonly progress = new Progress()
  private readonly screen: Screen
  private readonly names: number
  private readonly now: () => number
  private settled = 0
  /** Widths of the drawn lines that the next frame overwrites. */
  private drawn: ReadonlyArray<number> = []
  private drawnColumns = 0
  /** Whether the view is hidden while other output uses the screen. */
  private isHidden = false
  private timer: NodeJS.Timeout | undefined
  private readonly restore = () => this.screen.write(SHOW_CURSOR)

  /** `names` is the length of the longest stage name; `now` returns epoch milliseconds. */
  constructor(screen: Screen, names: number, now: () => number) {
    this.screen = screen
    this.names = Math.min(Math.max(names, 8), 28)
    this.now = now
  }

  start(): void {
    this.screen.write(HIDE_CURSOR)
    process.on("exit", this.restore)
    this.timer = setInterval(() => this.draw(), FRAME_MS)
  }

  readonly push = (event: RunEvent): void => this.progress.push(event)

  /** Prints permanent output above the view. */
  printAbove(write: () => void): void {
    if (this.isHidden) return write()
    this.screen.write(`${this.upward()}${CLEAR_BELOW}`)
    this.drawn = []
    write()
    this.draw()
  }

  /** Hides the view while `speak` writes lines or reads an answer, then shows it again. */
  async aside<A>(speak: () => Promise<A>): Promise<A> {
    const wasHidden = this.isHidden
    this.hide()
    try {
      return await speak()
    } finally {
      if (!wasHidden) this.show()
    }
  }

  /** Gives the screen to other output until `show`; what is settled stays above it. */
  hide(): void {
    if (this.isHidden) return
    clearInterval(this.timer)
    this.timer = undefined
    this.isHidden = true
    this.screen.write(`${this.upward()}${CLEAR_BELOW}${SHOW_CURSOR}`)
    this.drawn = []
  }

  show(): void {
    if (!this.isHidden) return
    this.isHidden = false
    this.start()
  }

  /** Draws the last frame and leaves the cursor below it. */
  stop(): void {
    clearInterval(this.timer)
    this.timer = undefined
    this.draw()
    this.screen.write(SHOW_CURSOR)
    process.off("exit", this.restore)
  }

  /** Writes a frame in one call, so that no partial frame is visible. */
  draw(): void {
    // The last column stays free: some terminals wrap a full line.
    const width = Math.max(20, this.screen.columns() - 1)
    const look = { style: this.screen.style, width, names: this.names, now: this.now() }
    const { moving, settled } = frame(this.progress, this.settled, look, this.screen.rows())
    const up = this.upward()
    // Wrapped lines are cleared before they are overwritten; otherwise the terminal joins them later.
    const anew = this.screen.columns() === this.drawnColumns ? "" : CLEAR_BELOW
    this.drawnColumns = this.screen.columns()
    this.settled = settledCount(this.progress)
    this.drawn = moving.map(widthOf)
    const lines = [...settled, ...moving].map((line) => `${line}${CLEAR_LINE}\n`).join("")
    this.screen.write(`${BEGIN}${up}${anew}${lines}${CLEAR_BELOW}${END}`)
  }

  /** Moves the cursor to the first line to overwrite; counts lines that a narrower terminal has wrapped. */
  private upward(): string {
    const columns = this.screen.columns()
    const rows = this.drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
    return rows === 0 ? "\r" : `\u001b[${rows}A\r`
  }
}
