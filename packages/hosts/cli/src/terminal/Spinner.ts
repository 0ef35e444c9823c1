/** Draws one line with what is being done and its elapsed time, until it is paused. */
import type { RunEvent } from "@planloom/plugin/effect"
import { duration } from "./quantity.ts"
import type { Screen } from "./Screen.ts"
import { cut, oneLine } from "./text.ts"

const FRAME_MS = 80

/** The line is not drawn for work that ends sooner. */
const DELAY_MS = 150
const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
const CLEAR_LINE = "\r\u001b[K"
const HIDE_CURSOR = "\u001b[?25l"
const SHOW_CURSOR = "\u001b[?25h"

export class Spinner {
  private readonly screen: Screen
  private readonly delayMs: number
  private timer: NodeJS.Timeout | undefined
  private startedAt = 0
  private activity = ""
  private drawn = false
  private readonly restore = () => this.screen.write(SHOW_CURSOR)

  constructor(screen: Screen, delayMs = DELAY_MS) {
    this.screen = screen
    this.delayMs = delayMs
  }

  /** `elapsedMs` is the time that the work has taken before. */
  start(activity = "", elapsedMs = 0): void {
    this.startedAt = performance.now() - elapsedMs
    this.activity = activity
    this.resume()
  }

  /** Says what is being done now. */
  show(activity: string): void {
    this.activity = activity
  }

  onEvent(event: RunEvent): void {
    if (event.type === "StageStarted") this.activity = event.stage
    else if (event.type === "Progressed") this.activity = `${event.stage} · ${event.message}`
    else if (event.type === "ToolProgressed") this.activity = `${event.tool} · ${event.message}`
    else if (event.type === "Reasoned" && event.text !== undefined)
      this.activity = `${event.stage} · ${event.text}`
    else if (event.type === "Noted" && event.audience === "user" && event.text !== undefined) {
      this.activity = event.text
    }
  }

  /** Removes the line, then writes. */
  aside(write: () => void): void {
    this.clear()
    write()
  }

  pause(): void {
    clearInterval(this.timer)
    this.timer = undefined
    this.clear()
    this.screen.write(SHOW_CURSOR)
    process.off("exit", this.restore)
  }

  resume(): void {
    if (!this.screen.live || this.timer !== undefined) return
    this.screen.write(HIDE_CURSOR)
    process.on("exit", this.restore)
    this.timer = setInterval(() => this.draw(), FRAME_MS)
  }

  private clear(): void {
    if (this.drawn) this.screen.write(CLEAR_LINE)
    this.drawn = false
  }

  private draw(): void {
    const ms = performance.now() - this.startedAt
    if (ms < this.delayMs) return
    const { style } = this.screen
    const mark = spinner[Math.floor(ms / FRAME_MS) % spinner.length]!
    const time = ms < 1000 ? "" : `  ${duration(Math.floor(ms / 1000) * 1000)}`
    const room = Math.max(10, this.screen.columns() - 5 - time.length)
    const text = cut(oneLine(this.activity), room)
    this.screen.write(`${CLEAR_LINE}  ${style.name(mark)} ${style.dim(text + time)}`)
    this.drawn = true
  }
}
