/** A conversation before a run, as tests, evaluations and examples give it. */
import type { Json, JsonObject } from "@planloom/plugin/effect"

export interface Past {
  /** Of the turns before `turns`, in a session with compaction. */
  readonly summary: string
  /** Oldest first. */
  readonly turns: ReadonlyArray<PastTurn>
  /** Last seen first; they go before those of the calls. */
  readonly entities: ReadonlyArray<PastEntity>
  /** Values that differ from their defaults, by name. */
  readonly state: JsonObject
}

export interface PastTurn {
  readonly user: string
  readonly assistant: string
  readonly calls: ReadonlyArray<PastCall>
}

/** A tool call that succeeded: the session has its entities, by the tool's own expressions. */
export interface PastCall {
  readonly tool: string
  readonly params: JsonObject
  readonly result: Json
}

export interface PastEntity {
  readonly type: string
  readonly id: string
  /** The id unless given. */
  readonly name: string | undefined
  /** The number of the turn that saw it last; that of the last one unless given. */
  readonly turn: number | undefined
}
