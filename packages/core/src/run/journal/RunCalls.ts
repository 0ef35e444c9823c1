/** Tool calls of a run: a resumed run also has those of stages that are answered from their record. */
import type { CallRecord, RunEvent } from "@planloom/plugin"
import { effectiveEvents } from "./effectiveEvents.ts"

export class RunCalls {
  /** Oldest first, without results. */
  readonly all: Array<CallRecord> = []
  /** Positions of calls of earlier processes that were not made or replayed again, by path and key. */
  private readonly earlier = new Map<string, Array<number>>()

  resume(events: ReadonlyArray<RunEvent>): void {
    for (const event of effectiveEvents(events)) {
      if (event.type !== "ToolCalled") continue
      const { failure, key, params, path, summary, tool } = event
      const name = nameOf(event)
      this.earlier.set(name, [...(this.earlier.get(name) ?? []), this.all.length])
      this.all.push({
        tool,
        params,
        key,
        path,
        ok: failure === undefined,
        summary,
        ...(failure === undefined ? {} : { error: failure.message }),
      })
    }
  }

  add({ result: _, ...call }: CallRecord): void {
    const at = this.earlier.get(nameOf(call))?.shift()
    if (at === undefined) this.all.push(call)
    else this.all[at] = call
  }
}

const nameOf = ({ key, path }: { readonly path: string; readonly key: string }): string =>
  `${path} ${key}`
