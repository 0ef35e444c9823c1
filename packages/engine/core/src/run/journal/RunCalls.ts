/** Tool calls of a run: a resumed run also has those of stages that are answered from their record. */
import type { CallRecord, RunEvent } from "@planloom/plugin/effect"
import type { CallIdentity } from "../../tool/identity/CallIdentity.ts"
import { CallList } from "../../tool/identity/CallList.ts"
import { effectiveEvents } from "./effectiveEvents.ts"

/** The note of a stage whose reply a gate has blocked. */
export const REPLY_BLOCKED = "reply_blocked"

export class RunCalls {
  /** Without results. */
  private readonly list = new CallList()
  /** Positions of calls of earlier processes that were not made or replayed again, by path and key. */
  private earlier: Map<string, Array<number>> | undefined

  /** Paths of stages whose last reply was blocked. */
  private blocked: Set<string> | undefined

  /** Oldest first, without results. */
  get all(): ReadonlyArray<CallRecord> {
    return this.list.all
  }

  /** Follows what becomes of replies; called with every event, replayed or new. */
  observe(event: RunEvent): void {
    if (event.type !== "Noted" || event.note !== REPLY_BLOCKED) return
    this.blocked ??= new Set()
    this.blocked.add(event.path)
  }

  /** Those whose results the user may know: of a stage whose reply was blocked, those alone that changed something. */
  shown(writes: (call: CallRecord) => boolean): ReadonlyArray<CallRecord> {
    const { all, blocked } = this
    return blocked === undefined
      ? all
      : all.filter((call) => !blocked.has(call.path) || writes(call))
  }

  resume(events: ReadonlyArray<RunEvent>): void {
    const earlier = (this.earlier ??= new Map<string, Array<number>>())
    for (const event of effectiveEvents(events)) {
      this.observe(event)
      if (event.type !== "ToolCalled") continue
      const { entities, failure, from, identity, key, params, path, refused, summary, tool } = event
      const name = nameOf(event)
      earlier.set(name, [...(earlier.get(name) ?? []), this.list.size])
      const call = {
        tool,
        params,
        key,
        path,
        ok: failure === undefined,
        summary,
        ...(entities === undefined ? {} : { entities }),
        ...(failure === undefined ? {} : { error: failure.message, class: failure.class }),
        ...(identity === undefined ? {} : { identity }),
        ...(from === undefined ? {} : { from }),
        ...(refused === undefined ? {} : { refused }),
      }
      this.list.push(call)
    }
  }

  add(call: CallRecord, identity?: CallIdentity): void {
    const kept = withoutResult(call)
    const at = this.earlier?.get(nameOf(call))?.shift()
    if (at === undefined) this.list.push(kept, identity)
    else this.list.replace(at, kept, identity)
  }
}

/** Members that a call may lack are assigned: a rest of the object would take longer than all else that a call adds. */
const withoutResult = (call: CallRecord): CallRecord => {
  const {
    entities,
    error,
    from,
    identity,
    key,
    notes,
    ok,
    params,
    path,
    refused,
    repairs,
    summary,
  } = call
  const kept: { -readonly [K in keyof CallRecord]: CallRecord[K] } = {
    tool: call.tool,
    params,
    key,
    path,
    ok,
    summary,
  }
  if (identity !== undefined) kept.identity = identity
  if (from !== undefined) kept.from = from
  if (entities !== undefined) kept.entities = entities
  if (repairs !== undefined) kept.repairs = repairs
  if (notes !== undefined) kept.notes = notes
  if (error !== undefined) kept.error = error
  if (call.class !== undefined) kept.class = call.class
  if (refused !== undefined) kept.refused = refused
  return kept
}

const nameOf = ({ key, path }: { readonly path: string; readonly key: string }): string =>
  `${path} ${key}`
