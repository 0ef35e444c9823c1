/** The words of this package: what goes in, what comes out. */

export type Json = string | number | boolean | null | JsonArray | JsonObject
export type JsonArray = Array<Json>
export type JsonObject = { [key: string]: Json }

/** JSON Schema 2020-12, or draft-07 when `$schema` says so. */
export type Schema = boolean | { readonly [keyword: string]: unknown }

/** A place in the text: `offset` counts UTF-16 units from 0, line and column from 1. */
export interface Place {
  readonly offset: number
  readonly line: number
  readonly column: number
}

/** One thing that the text did not say as JSON, or not as the schema wants it, and what was made of it. */
export interface Repair {
  readonly kind: RepairKind
  /** JSON Pointer of the value it concerns, in what was read; `""` is the whole. */
  readonly path: string
  readonly at: Place
  /** What changed, where the kind alone does not say it. */
  readonly detail?: string
  /** Present where the text held what may be data and is not in the value: do not act on the value without looking at it. */
  readonly loss?: true
}

export type RepairKind = SyntaxRepair | Coercion

export type SyntaxRepair =
  | "reasoning"
  | "surrounding_text"
  | "other_candidate"
  | "fence"
  | "sequence"
  | "bare_text"
  | "double_encoded"
  | "entities"
  | "comment"
  | "extra_comma"
  | "missing_comma"
  | "missing_colon"
  | "other_colon"
  | "missing_value"
  | "missing_closer"
  | "extra_closer"
  | "swapped_closer"
  | "extra_opener"
  | "missing_quote"
  | "other_quotes"
  | "inner_quote"
  | "escaped_quotes"
  | "control_character"
  | "bad_escape"
  | "unquoted_key"
  | "unquoted_text"
  | "other_literal"
  | "other_number"
  | "inexact_number"
  | "not_finite"
  | "joined_strings"
  | "call"
  | "tuple"
  | "ellipsis"
  | "duplicate_key"
  | "dropped_text"

export type Coercion =
  | "to_string"
  | "to_number"
  | "to_boolean"
  | "to_null"
  | "to_array"
  | "to_object"
  | "to_enum"
  | "to_date"
  | "key"
  | "unwrapped"
  | "dropped_member"
  | "moved"
  | "dropped_item"
  | "positional"
  | "filled"

/** Why the text is not an answer. */
export interface Reason {
  readonly message: string
  /** JSON Pointer of the value that does not fit. */
  readonly path?: string
  readonly at: Place
}

export interface Success {
  readonly ok: true
  readonly value: Json
  /** What stood in reasoning tags, joined by blank lines; `""` without any. */
  readonly reasoning: string
  readonly repairs: ReadonlyArray<Repair>
  /** `false` when the text ended before the value did. */
  readonly complete: boolean
}

export interface Failure {
  readonly ok: false
  readonly reasons: ReadonlyArray<Reason>
  readonly reasoning: string
  /** What came closest, as it was read: for a person or for a repair request, not to be used as data. */
  readonly best?: Json
}

export type Result = Success | Failure

/** What a caller may allow where a schema is given; nothing of it is done unasked, and each use is told as a repair. */
export interface Liberties {
  /**
   * Members that the text lacks. `defaults`: the schema's `default` is filled in. `required`: for required ones also a `const`, the
   * first of an `enum`, or an empty list or object where the schema allows it. Told as `filled`. Default `none`.
   */
  readonly fill?: "none" | "defaults" | "required"
  /** Items of lists that cannot be made to fit are left out, and told as `dropped_item`. Default `false`. */
  readonly dropItems?: boolean
  /** A list where an object is asked for gives the properties their values, in their order; told as `positional`. Default `false`. */
  readonly positional?: boolean
}

export interface Options extends Liberties {
  /** Only valid JSON without duplicate names, alone in the text; nothing is repaired or coerced. Default `false`. */
  readonly strict?: boolean
  /** Deepest nesting that is read. Default 512. */
  readonly maxDepth?: number
  /** Longest text that is read, in UTF-16 units. Default 64 Mi. */
  readonly maxLength?: number
}

/** What a stream holds so far. */
export interface Partial {
  /** The best value so far, `undefined` when there is none. The caller may keep it, not change it. */
  readonly value: Json | undefined
  /** JSON Pointers of the values in it that may still grow or change; every other value is complete. */
  readonly open: ReadonlyArray<string>
  readonly reasoning: string
}
