/** Draws the progress of an evaluation on one line of the terminal, in place. */
import type { EvaluationProgress } from "@planloom/testing"
import { duration, money } from "../terminal/quantity.ts"
import type { Screen } from "../terminal/Screen.ts"
import { cut } from "../terminal/text.ts"

/** Time between two redraws. */
const REDRAW_MS = 200
const CLEAR_LINE = "\r\u001b[K"
const BAR_CELLS = 20

export class ProgressLine {
  private readonly screen: Screen
  private readonly now: () => number
  private readonly startedAt: number
  private shown: { readonly file: string; readonly progress: EvaluationProgress } | undefined
  private timer: NodeJS.Timeout | undefined

  /** `now` returns epoch milliseconds. */
  constructor(screen: Screen, now: () => number) {
    this.screen = screen
    this.now = now
    this.startedAt = now()
  }

  /** Sets what the next redraw shows; the elapsed time is updated in between. */
  show(file: string, progress: EvaluationProgress): void {
    this.shown = { file, progress }
    if (this.timer !== undefined) return
    this.draw()
    this.timer = setInterval(() => this.draw(), REDRAW_MS)
  }

  /** Removes the line. */
  clear(): void {
    clearInterval(this.timer)
    this.timer = undefined
    if (this.shown !== undefined) this.screen.write(CLEAR_LINE)
    this.shown = undefined
  }

  private draw(): void {
    const { file, progress } = this.shown!
    const { cost, done, passed, planned } = progress
    const full = planned === 0 ? 0 : Math.floor((done / planned) * BAR_CELLS)
    const bar = "━".repeat(full) + "╌".repeat(BAR_CELLS - full)
    const parts = [
      `${bar} ${done}/${planned}`,
      ...(done === 0 ? [] : [`${((100 * passed) / done).toFixed(1)} % passed`]),
      ...(cost === 0 ? [] : [money(cost)]),
      duration(this.now() - this.startedAt),
      file,
    ]
    // The last column stays free: some terminals wrap a full line.
    const line = cut(parts.join("  "), Math.max(20, this.screen.columns() - 1))
    this.screen.write(`${CLEAR_LINE}${this.screen.style.dim(line)}`)
  }
}
