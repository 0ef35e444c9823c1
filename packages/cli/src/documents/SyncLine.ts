/** Draws the progress of a sync on one line of the terminal, in place. */
import type { Screen } from "../terminal/Screen.ts"
import { cut, oneLine } from "../terminal/text.ts"

/** Time between two redraws. */
const REDRAW_MS = 100
const CLEAR_LINE = "\r\u001b[K"

export class SyncLine {
  private readonly screen: Screen
  private readonly name: string
  private drawnAt: number | undefined

  constructor(screen: Screen, name: string) {
    this.screen = screen
    this.name = name
  }

  /** Draws unless it was drawn just now; on a pipe nothing is drawn. */
  readonly show = (path: string, at: number, all: number): void => {
    const now = performance.now()
    if (!this.screen.live || now < (this.drawnAt ?? -Infinity) + REDRAW_MS) return
    this.drawnAt = now
    // The last column stays free: some terminals wrap a full line.
    const width = Math.max(20, this.screen.columns() - 1)
    const line = cut(`${this.name}: ${at}/${all}  ${oneLine(path)}`, width)
    this.screen.write(`${CLEAR_LINE}${this.screen.style.dim(line)}`)
  }

  clear(): void {
    if (this.drawnAt !== undefined) this.screen.write(CLEAR_LINE)
  }
}
