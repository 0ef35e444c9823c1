/** One line on a terminal that says how far an evaluation is, drawn over in place. */
import type { EvaluationProgress } from "@planloom/testing"
import { duration, money } from "../terminal/quantity.ts"
import type { Screen } from "../terminal/Screen.ts"
import { cut } from "../terminal/text.ts"

/** Milliseconds between two drawings. */
const INTERVAL = 100
const CLEAR_LINE = "\r\u001b[K"
const CELLS = 20

export class ProgressLine {
  private readonly screen: Screen
  private readonly now: () => number
  private readonly began: number
  private drawn = 0
  private there = false

  /** `now` gives epoch milliseconds. */
  constructor(screen: Screen, now: () => number) {
    this.screen = screen
    this.now = now
    this.began = now()
  }

  show(file: string, { cost, done, passed, planned }: EvaluationProgress): void {
    const now = this.now()
    if (now - this.drawn < INTERVAL && done < planned) return
    this.drawn = now
    this.there = true
    const full = planned === 0 ? 0 : Math.floor((done / planned) * CELLS)
    const bar = "━".repeat(full) + "╌".repeat(CELLS - full)
    const parts = [
      `${bar} ${done}/${planned}`,
      ...(done === 0 ? [] : [`${((100 * passed) / done).toFixed(1)} % passed`]),
      ...(cost === 0 ? [] : [money(cost)]),
      duration(now - this.began),
      file,
    ]
    // The last column stays free: some terminals break the line when it is filled.
    const line = cut(parts.join("  "), Math.max(20, this.screen.columns() - 1))
    this.screen.write(`${CLEAR_LINE}${this.screen.style.dim(line)}`)
  }

  clear(): void {
    if (this.there) this.screen.write(CLEAR_LINE)
    this.there = false
  }
}
