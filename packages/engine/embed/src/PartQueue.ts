/** Parts of a run on their way to a reader, who decides how far the model is read ahead. */
import type { Part } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"

/** Parts that wait for the reader; then the run waits, too. */
const MAX_WAITING = 16

type PartReader = (part: Part | undefined) => void

export class PartQueue {
  private waiting: Array<Part> = []
  /** They wait for parts, so that no part waits for them. */
  private readonly readers: Array<PartReader> = []
  private wakeWriters: Array<() => void> = []
  private isRead = false
  private isRelaxed = false
  private hasEnded = false

  readonly push = (part: Part): Effect.Effect<void> | void => {
    const reader = this.readers.shift()
    if (reader !== undefined) return reader(part)
    if (!this.isRelaxed || this.isRead || !this.merged(part)) this.waiting.push(part)
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
    for (const reader of this.readers.splice(0)) reader(undefined)
  }

  /** Calls the reader with the next part, at once if one waits; with undefined after the last one. */
  take(reader: PartReader): void {
    this.isRead = true
    const part = this.waiting.shift()
    if (part === undefined && !this.hasEnded) {
      this.readers.push(reader)
      return
    }
    // Not for each part: stopping and starting the run again costs more than a part.
    if (this.waiting.length <= MAX_WAITING / 2) this.wakeAll()
    reader(part)
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
