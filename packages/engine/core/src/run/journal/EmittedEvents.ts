/** Suppresses events that were already emitted before a resume, because the replay emits them again. */
import type { RunEvent } from "@planloom/plugin/effect"
import { effectiveEvents } from "./effectiveEvents.ts"

/**
 * Counts events by content, not by time, because a replay may emit them in another order. Events inside a stage that
 * is answered from its record are not emitted again and stay counted, so events of different attempts have different keys.
 */
export class EmittedEvents {
  private readonly counts = new Map<string, number>()
  private readonly before = new EventKeys()
  private readonly now = new EventKeys()

  constructor(events: ReadonlyArray<RunEvent>) {
    for (const event of effectiveEvents(events)) {
      const key = this.before.keyOf(event)
      if (key !== undefined) this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
    }
  }

  /** Whether the event was emitted before. Each earlier event matches once. */
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

/** Keys of events by path, attempt and content. */
class EventKeys {
  private readonly tries = new Map<string, number>()

  /** Undefined for events that are emitted on every resume. */
  keyOf(event: RunEvent): string | undefined {
    if (event.type === "RunStarted" || event.type === "SessionOpened") return event.type
    if (event.type === "OutputReady") return `${event.type} ${event.name}`
    if (event.type === "OutputCorrected") return `${event.type} ${event.name} ${event.revision}`
    if (event.type === "PromptsPinned") return `${event.type} ${event.workflow}`
    if (event.type === "ToolListFailed") return `${event.type} ${event.source} ${event.reason}`
    if (event.type === "VariantAssigned" || event.type === "VariantExposed") {
      return `${event.type} ${event.workflow} ${event.experiment}`
    }
    // A reviewer's model is asked again.
    if (event.type === "ModelCalled" && event.reviewer !== undefined) return undefined
    if (!("path" in event)) return undefined
    const number = this.tries.get(event.path) ?? 0
    if (isBetweenAttempts(event)) {
      this.tries.set(event.path, number + 1)
    }
    return JSON.stringify([event.type, event.path, number, contentOf(event)])
  }
}

/** Whether later events of the stage belong to another attempt. */
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
      // A cancelled call is repeated, and the repetition is emitted as well.
      return event.failure?.class === "cancelled" ? `${event.model} broken off` : event.model
    case "SearchDegraded":
      return event.failure.message
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
    case "ToolProgressed":
      return `${event.key} ${event.message}`
    case "Noted":
      return event.note
    case "Reviewed":
      return event.reviewer
    case "HookRan":
      return `${event.point} ${event.hook} ${event.of ?? ""}`
    default:
      return undefined
  }
}

/** Whether the event ends the run; only a resume emits events after it. */
export const isEnd = ({ type }: RunEvent): boolean =>
  type === "RunFinished" || type === "RunFailed" || type === "RunCancelled"
