/** What was told of a run before it went on: a replay tells it again, and nobody should hear it twice. */
import type { RunEvent } from "@planloom/plugin"
import { effectiveEvents } from "./effectiveEvents.ts"

/**
 * Counts events by what they tell, not by when. A replay tells the same ones in any order; those inside a
 * stage that answers from its record are not told again and stay counted, which is why events of different
 * attempts are told apart.
 */
export class EmittedEvents {
  private readonly counts = new Map<string, number>()
  private readonly before = new Tries()
  private readonly now = new Tries()

  constructor(events: ReadonlyArray<RunEvent>) {
    for (const event of effectiveEvents(events)) {
      const key = this.before.keyOf(event)
      if (key !== undefined) this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
    }
  }

  /** Whether the event was told before. Each counts once. */
  holds(event: RunEvent): boolean {
    const key = this.now.keyOf(event)
    if (key === undefined) return false
    const count = this.counts.get(key) ?? 0
    if (count === 0) return false
    if (count === 1) this.counts.delete(key)
    else this.counts.set(key, count - 1)
    return true
  }
}

/** Names an event by place, attempt and content. */
class Tries {
  private readonly tries = new Map<string, number>()

  /** Undefined for what is told every time. */
  keyOf(event: RunEvent): string | undefined {
    if (event.type === "RunStarted" || event.type === "SessionOpened") return event.type
    if (event.type === "OutputReady") return `${event.type} ${event.name}`
    if (!("path" in event)) return undefined
    const number = this.tries.get(event.path) ?? 0
    if (isBetweenAttempts(event)) {
      this.tries.set(event.path, number + 1)
    }
    return JSON.stringify([event.type, event.path, number, contentOf(event)])
  }
}

/** What comes after it belongs to another attempt of its stage. */
export const isBetweenAttempts = (event: RunEvent): boolean =>
  event.type === "AttemptFailed" ||
  event.type === "Degraded" ||
  (event.type === "Answered" && event.kind === "clarification")

const contentOf = (event: RunEvent): string | number | undefined => {
  switch (event.type) {
    case "IterationStarted":
    case "IterationFinished":
      return event.iteration
    case "AssertionFailed":
      return `${event.rerun?.count ?? 0} ${event.that}`
    case "ModelCalled":
      // A call that was broken off is made again, and that one is told, too.
      return event.failure?.class === "cancelled" ? `${event.model} broken off` : event.model
    case "Reasoned":
      return event.model
    case "ReplyRead":
      return event.rung
    case "ToolCalled":
      return event.key
    case "Asked":
      return event.wait.name
    case "Answered":
      return event.name
    case "Progressed":
      return event.message
    case "Noted":
      return event.note
    default:
      return undefined
  }
}

/** Nothing comes after it, unless the run is taken up again. */
export const isEnd = ({ type }: RunEvent): boolean =>
  type === "RunFinished" || type === "RunFailed" || type === "RunCancelled"
