/** Draws one line with the current stage and its elapsed time while a turn runs. */
import type { RunEvent } from "@planloom/plugin/effect"
import { duration } from "../terminal/quantity.ts"
import type { Screen } from "../terminal/Screen.ts"
import { cut, oneLine } from "../terminal/text.ts"

const FRAME_MS = 80

/** The line is not drawn for turns that end sooner. */
const DELAY_MS = 150
const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
const CLEAR_LINE = "\r\u001b[K"
const HIDE_CURSOR = "\u001b[?25l"
const SHOW_CURSOR = "\u001b[?25h"

export class Spinner {
  private readonly screen: Screen
  private timer: NodeJS.Timeout | undefined
  private startedAt = 0
  private activity = ""
  private drawn = false
  private readonly restore = () => this.screen.write(SHOW_CURSOR)

  constructor(screen: Screen) {
    this.screen = screen
  }

  start(activity = ""): void {
    this.startedAt = performance.now()
    this.activity = activity
    this.resume()
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
    if (ms < DELAY_MS) return
    const { style } = this.screen
    const mark = spinner[Math.floor(ms / FRAME_MS) % spinner.length]!
    const time = ms < 1000 ? "" : `  ${duration(Math.floor(ms / 1000) * 1000)}`
    const room = Math.max(10, this.screen.columns() - 5 - time.length)
    const text = cut(oneLine(this.activity), room)
    this.screen.write(`${CLEAR_LINE}  ${style.name(mark)} ${style.dim(text + time)}`)
    this.drawn = true
  }
}
