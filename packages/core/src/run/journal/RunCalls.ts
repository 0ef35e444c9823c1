/** Tool calls of a run: a resumed run also has those of stages that are answered from their record. */
import type { CallRecord, RunEvent } from "@planloom/plugin/effect"
import { effectiveEvents } from "./effectiveEvents.ts"

/** The note of a stage whose reply a gate has blocked. */
export const REPLY_BLOCKED = "reply_blocked"

export class RunCalls {
  /** Oldest first, without results. */
  readonly all: Array<CallRecord> = []
  /** Positions of calls of earlier processes that were not made or replayed again, by path and key. */
  private earlier: Map<string, Array<number>> | undefined

  /** Paths of stages whose last reply was blocked. */
  private readonly blocked = new Set<string>()

  /** Follows what becomes of replies; called with every event, replayed or new. */
  observe(event: RunEvent): void {
    if (event.type === "Noted" && event.note === REPLY_BLOCKED) this.blocked.add(event.path)
  }

  /** Those whose results the user may know: of a stage whose reply was blocked, those alone that changed something. */
  shown(writes: (call: CallRecord) => boolean): ReadonlyArray<CallRecord> {
    return this.blocked.size === 0
      ? this.all
      : this.all.filter((call) => !this.blocked.has(call.path) || writes(call))
  }

  resume(events: ReadonlyArray<RunEvent>): void {
    const earlier = (this.earlier ??= new Map<string, Array<number>>())
    for (const event of effectiveEvents(events)) {
      this.observe(event)
      if (event.type !== "ToolCalled") continue
      const { entities, failure, key, params, path, refused, summary, tool } = event
      const name = nameOf(event)
      earlier.set(name, [...(earlier.get(name) ?? []), this.all.length])
      this.all.push({
        tool,
        params,
        key,
        path,
        ok: failure === undefined,
        summary,
        ...(entities === undefined ? {} : { entities }),
        ...(failure === undefined ? {} : { error: failure.message, class: failure.class }),
        ...(refused === undefined ? {} : { refused }),
      })
    }
  }

  add(call: CallRecord): void {
    const kept = withoutResult(call)
    const at = this.earlier?.get(nameOf(call))?.shift()
    if (at === undefined) this.all.push(kept)
    else this.all[at] = kept
  }
}

const withoutResult = ({ result: _, ...call }: CallRecord): CallRecord => call

const nameOf = ({ key, path }: { readonly path: string; readonly key: string }): string =>
  `${path} ${key}`
