/** What fitting one node may use: fits of other nodes, and data that is kept between fits. */
import type { Node } from "../read/Node.ts"
import type { Json, RecoveryOptions, Schema } from "../Salvage.ts"
import type { Limits } from "../Task.ts"
import type { Fit, Note, Problem } from "./Fit.ts"
import type { SchemaDocument } from "./Schema.ts"

export interface FitContext {
  readonly document: SchemaDocument
  /** The text is incomplete: missing members are no problem, and unfinished numbers and choices are left out. */
  readonly partial: boolean
  readonly limits: Limits
  readonly recovery: RecoveryOptions
  readonly fit: (node: Node, schema: Schema) => Fit
  /** Cached progress of a growing list. */
  readonly listProgress: (live: Node, schema: object, make: () => ListProgress) => ListProgress
  /** Cached name table of a schema. */
  readonly names: (schema: object, make: () => NameTable | undefined) => NameTable | undefined
  /** Creates a context for a value in another text. */
  readonly within: (text: string) => FitContext
  /** Source text of a node. */
  readonly sourceOf: (node: Node) => string
}

/** Sum of the fits of a list's items. */
export interface Sum extends Fit {
  readonly value: Array<Json>
  cost: number
  readonly notes: Array<Note>
  readonly problems: Array<Problem>
}

export interface ListProgress {
  readonly fit: Sum
  /** Number of items included, from the first. */
  count: number
}

/** Accepted spellings of a schema's names. */
export interface NameTable {
  /** Names accepted exactly. */
  readonly own: ReadonlySet<string>
  /** `x-alias` → property name. */
  readonly aliases: ReadonlyMap<string, string>
  readonly replaced: ReadonlySet<string>
  readonly folded: ReadonlyMap<string, string>
}
