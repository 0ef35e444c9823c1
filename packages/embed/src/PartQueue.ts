/** Parts of a run on their way to a reader, who decides how far the model is read ahead. */
import type { Part } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

/** Parts that wait for the reader; then the run waits, too. */
const MAX_WAITING = 16

export class PartQueue {
  private waiting: Array<Part> = []
  private wakeReader: (() => void) | undefined
  private wakeWriters: Array<() => void> = []
  private isRead = false
  private isRelaxed = false
  private hasEnded = false

  readonly push = (part: Part): Effect.Effect<void> | void => {
    if (!this.isRelaxed || this.isRead || !this.merged(part)) this.waiting.push(part)
    this.wakeReader?.()
    if (this.isFull) {
      return Effect.callback<void>((resume) => {
        const wake = () => resume(Effect.void)
        this.wakeWriters.push(wake)
        return Effect.sync(() => {
          this.wakeWriters = this.wakeWriters.filter((one) => one !== wake)
        })
      })
    }
  }

  /** The run waits for a reader, and does not wait for the reader of a run whose end alone is awaited. */
  private get isFull(): boolean {
    return this.waiting.length >= MAX_WAITING && (this.isRead || !this.isRelaxed) && !this.hasEnded
  }

  /** No reader holds the run up from now on; what waits is kept as one text for each output. */
  relax(): void {
    this.isRelaxed = true
    if (!this.isRead) this.wakeAll()
  }

  end(): void {
    this.hasEnded = true
    this.wakeReader?.()
  }

  /** The next part; undefined after the last one. */
  async take(): Promise<Part | undefined> {
    this.isRead = true
    for (;;) {
      const part = this.waiting.shift()
      if (part !== undefined) {
        if (!this.isFull) this.wakeAll()
        return part
      }
      if (this.hasEnded) return undefined
      await new Promise<void>((resolve) => {
        this.wakeReader = resolve
      })
      this.wakeReader = undefined
    }
  }

  private wakeAll(): void {
    const { wakeWriters } = this
    this.wakeWriters = []
    for (const wake of wakeWriters) wake()
  }

  private merged(part: Part): boolean {
    const index = this.waiting.findLastIndex(({ output }) => output === part.output)
    const last = this.waiting[index]
    if (last?.type !== part.type || last.message !== part.message) return false
    if (last.type === "value") this.waiting[index] = part
    else if (last.type === "text" && part.type === "text") {
      this.waiting[index] = { ...last, text: last.text + part.text }
    } else return false
    return true
  }
}
