/** Tool calls of a run: a resumed run also has those of stages that are answered from their record. */
import type { CallRecord, RunEvent } from "@planloom/plugin/effect"
import { effectiveEvents } from "./effectiveEvents.ts"

export class RunCalls {
  /** Oldest first, without results. */
  readonly all: Array<CallRecord> = []
  /** Positions of calls of earlier processes that were not made or replayed again, by path and key. */
  private earlier: Map<string, Array<number>> | undefined

  resume(events: ReadonlyArray<RunEvent>): void {
    const earlier = (this.earlier ??= new Map<string, Array<number>>())
    for (const event of effectiveEvents(events)) {
      if (event.type !== "ToolCalled") continue
      const { entities, failure, key, params, path, summary, tool } = event
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
        ...(failure === undefined ? {} : { error: failure.message }),
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
