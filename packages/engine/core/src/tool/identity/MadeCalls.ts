/** Calls that reached their tools, by identity, and when each source was last changed: which call answers an equal one. */
import type * as Deferred from "effect/Deferred"
import type { FailureRecord, Json, RunEvent } from "@planloom/plugin/effect"
import { isMadeCall } from "@planloom/plugin/facts"
import { below } from "@planloom/plugin/segments"
import type { CallIdentity } from "./CallIdentity.ts"

export interface MadeCall {
  readonly identity: Pick<CallIdentity, "key">
  readonly source: string
  readonly writes: boolean
  /** Of its record; undefined for a call of this process, whose outcome is known. */
  readonly name: string | undefined
  /** Of the stage occurrence. */
  readonly path: string
  /** The attempt that made it; undefined for a call of an earlier process. */
  readonly attempt: object | undefined
  /** When it began, among all calls of the run in this process. */
  readonly began: number
  /** No call that changes its source was under way when it began, as far as this process has seen. */
  readonly isSteady: boolean
  readonly failure: FailureRecord | undefined
  /** Undefined for a call of an earlier process, whose record has it. */
  readonly result: Json | undefined
}

interface Changes {
  /** When the last call that changes the source began. */
  last: number
  underWay: number
}

/** An event of an earlier process, in order. */
interface EarlierCall {
  readonly event: Extract<RunEvent, { readonly type: "ToolCalled" }>
  readonly position: number
}

/** A call under way that others wait for. */
export interface PendingCall {
  readonly done: Deferred.Deferred<void>
  readonly attempt: object
  /** It waits for a person's approval: what another attempt asks, waits for its own. */
  readonly asks: boolean
}

export class MadeCalls {
  // Most runs compare no calls, and have no tool that writes.
  private waited: Map<string, PendingCall> | undefined
  private clock = 0
  private changes: Map<string, Changes> | undefined
  private made: Map<string, Array<MadeCall>> | undefined
  private earlier: ReadonlyMap<string, ReadonlyArray<EarlierCall>> | undefined
  /** Position of the last call of each tool in an earlier process. */
  private lastCalls: ReadonlyMap<string, number> | undefined

  /** The calls of earlier processes: `events` are those that still hold. */
  resume(events: ReadonlyArray<RunEvent>): void {
    const earlier = new Map<string, Array<EarlierCall>>()
    const lastCalls = new Map<string, number>()
    for (const [position, event] of events.entries()) {
      if (event.type !== "ToolCalled" || !isMadeCall(event)) continue
      lastCalls.set(event.tool, position)
      if (event.identity === undefined) continue
      const all = earlier.get(event.identity) ?? []
      earlier.set(event.identity, [...all, { event, position }])
    }
    this.earlier = earlier
    this.lastCalls = lastCalls
  }

  /** By key of the identity. */
  get pending(): Map<string, PendingCall> {
    return (this.waited ??= new Map())
  }

  /** Whether the run has a record of an earlier process. */
  get isResumed(): boolean {
    return this.earlier !== undefined
  }

  /** A call reaches its tool; the time of it. */
  begin(source: string, writes: boolean): number {
    const now = ++this.clock
    if (!writes) return now
    const changes = this.changesOf(source)
    changes.underWay++
    return (changes.last = now)
  }

  changed(source: string): void {
    this.changesOf(source).underWay--
  }

  isChanging(source: string): boolean {
    return (this.changes?.get(source)?.underWay ?? 0) > 0
  }

  add(call: MadeCall): void {
    const { key } = call.identity
    const made = (this.made ??= new Map())
    const all = made.get(key)
    if (all === undefined) made.set(key, [call])
    else all.push(call)
  }

  /** Equal calls of the run, oldest first. `known` says of a tool which source runs it, and whether it changes that. */
  equal(identity: CallIdentity, known: KnownTools): ReadonlyArray<MadeCall> {
    return [...this.before(identity, known), ...(this.made?.get(identity.key) ?? [])]
  }

  /** Equal calls of earlier processes. */
  before(identity: CallIdentity, known: KnownTools): ReadonlyArray<MadeCall> {
    if (this.earlier === undefined || identity.isAmbiguous) return []
    return (this.earlier.get(identity.recorded) ?? []).flatMap(({ event, position }) => {
      const of = known(event.tool)
      if (of === undefined) return []
      // A call that was lost with its process has left no event, so that a source that can change may have changed.
      const isSteady = of.writes ? !this.changedAfter(position, of.source, known) : !of.canChange
      return [
        {
          identity,
          source: of.source,
          writes: of.writes,
          name: recordOf(event),
          path: event.path,
          attempt: undefined,
          began: 0,
          isSteady,
          failure: event.failure,
          result: undefined,
        },
      ]
    })
  }

  /** Whether nothing has changed what the call has read or written since it began. */
  holds({ began, isSteady, source }: MadeCall): boolean {
    return isSteady && (this.changes?.get(source)?.last ?? 0) <= began
  }

  /** A tool that is unknown now may have changed anything. */
  private changedAfter(position: number, source: string, known: KnownTools): boolean {
    for (const [tool, last] of this.lastCalls ?? []) {
      const of = known(tool)
      if (last > position && (of === undefined || (of.writes && of.source === source))) return true
    }
    return false
  }

  private changesOf(source: string): Changes {
    const all = (this.changes ??= new Map())
    let changes = all.get(source)
    if (changes === undefined) all.set(source, (changes = { last: 0, underWay: 0 }))
    return changes
  }
}

export type KnownTools = (tool: string) =>
  | {
      readonly source: string
      readonly writes: boolean
      /** Whether any tool of the source writes. */
      readonly canChange: boolean
    }
  | undefined

/** The name of the record of a call. */
const recordOf = ({ call, key, path }: EarlierCall["event"]): string =>
  call ?? below(path, "tool", key)
