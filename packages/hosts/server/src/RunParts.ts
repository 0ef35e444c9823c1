/** Parts of runs on their way to HTTP clients: each client reads at its own pace, and none holds up a run. */
import type { Part } from "@planloom/plugin/effect"

/** Characters that wait for a client. More, and its connection is closed: when it connects again it gets the text so far. */
const MAX_WAITING_CHARS = 1024 * 1024

/**
 * Pass `of(run)` as `onPart` of the run, call `end(run)` when it has ended, and give the object to `handler`. What the
 * outputs of a run have so far is kept until its end, for clients that connect later.
 */
export class RunParts {
  private readonly runs = new Map<string, Map<string, ReadonlyArray<Part>>>()
  private readonly clients = new Map<string, Set<PartFeed>>()

  readonly of = (run: string): ((part: Part) => void) => {
    const outputs = new Map<string, ReadonlyArray<Part>>()
    this.runs.set(run, outputs)
    return (part) => {
      outputs.set(part.output, merged(outputs.get(part.output) ?? [], part))
      for (const client of this.clients.get(run) ?? []) client.push(part)
    }
  }

  end(run: string): void {
    this.runs.delete(run)
    for (const client of this.clients.get(run) ?? []) client.onPart()
  }

  /** Whether parts of the run may follow. */
  isOpen(run: string): boolean {
    return this.runs.has(run)
  }

  /** The parts from now on, after the text so far; `onPart` is called when there are more, or no more will come. */
  read(run: string, onPart: () => void): PartFeed {
    const feed: PartFeed = new PartFeed(onPart, () => {
      const clients = this.clients.get(run)
      clients?.delete(feed)
      if (clients?.size === 0) this.clients.delete(run)
    })
    for (const parts of this.runs.get(run)?.values() ?? []) parts.forEach((part) => feed.push(part))
    const clients = this.clients.get(run) ?? new Set()
    this.clients.set(run, clients.add(feed))
    return feed
  }
}

/** Parts for one client, merged while they wait. */
export class PartFeed {
  readonly onPart: () => void
  /** The client was too slow: its stream must end without looking complete. */
  isLost = false
  private waiting: ReadonlyArray<Part> = []
  private readonly onClose: () => void

  constructor(onPart: () => void, onClose: () => void) {
    this.onPart = onPart
    this.onClose = onClose
  }

  push(part: Part): void {
    if (this.isLost) return
    const others = this.waiting.filter(({ output }) => output !== part.output)
    const own = this.waiting.filter(({ output }) => output === part.output)
    this.waiting = [...others, ...merged(own, part)]
    if (charsIn(this.waiting) > MAX_WAITING_CHARS) {
      this.waiting = []
      this.isLost = true
      this.onClose()
    }
    this.onPart()
  }

  /** The parts since the last call. */
  take(): ReadonlyArray<Part> {
    const parts = this.waiting
    this.waiting = []
    return parts
  }

  close(): void {
    this.onClose()
  }
}

/** Parts of one output with the same effect as these and the next one. */
const merged = (parts: ReadonlyArray<Part>, part: Part): ReadonlyArray<Part> => {
  const last = parts.at(-1)
  if (part.type === "reset") return [part]
  if (part.type === "value") return [...parts.filter(({ type }) => type === "reset"), part]
  if (part.type !== "text" || last?.type !== "text" || last.message !== part.message) {
    return [...parts, part]
  }
  return [...parts.slice(0, -1), { ...last, text: last.text + part.text }]
}

const charsIn = (parts: ReadonlyArray<Part>): number =>
  parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0)
