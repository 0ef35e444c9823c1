/** Public types: options, results and repairs. */

export type Json = string | number | boolean | null | JsonArray | JsonObject
export type JsonArray = Array<Json>
export type JsonObject = { [key: string]: Json }

/** JSON Schema 2020-12, or draft-07 if `$schema` names it. */
export type Schema = boolean | { readonly [keyword: string]: unknown }

/** A location in the text: `offset` counts UTF-16 units from 0, line and column from 1. */
export interface Location {
  readonly offset: number
  readonly line: number
  readonly column: number
}

/** A change that turned the text into JSON, or the value into one that fits the schema. */
export interface Repair {
  readonly kind: RepairKind
  /** JSON Pointer of the affected value, in the tree as read; `""` is the root. */
  readonly path: string
  readonly at: Location
  /** Details of the change that the kind does not convey. */
  readonly detail?: string
  /** Set if the text held possible data that the value lacks: review the value before you act on it. */
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
  | "missing_opener"
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
  | "dropped_item"
  | "positional"
  | "filled"

/** Why the text was rejected. */
export interface Reason {
  readonly message: string
  /** JSON Pointer of the value that does not fit the schema. */
  readonly path?: string
  readonly at: Location
}

export interface Success<T = Json> {
  readonly ok: true
  readonly value: T
  /** Contents of reasoning tags, joined by blank lines; `""` without any. */
  readonly reasoning: string
  readonly repairs: ReadonlyArray<Repair>
  /** `false` when the text ended before the value did. */
  readonly complete: boolean
}

export interface Failure {
  readonly ok: false
  readonly reasons: ReadonlyArray<Reason>
  readonly reasoning: string
  /** The closest candidate as read: for display or a correction request, not for use as data. */
  readonly best?: Json
}

export type Result<T = Json> = Success<T> | Failure

/** Opt-in changes that need a schema; each use is reported as a repair. */
export interface RecoveryOptions {
  /**
   * Fills in missing members. `defaults`: with the schema's `default`. `required`: required ones also with a `const`, the first of an
   * `enum`, or an empty list or object if the schema allows it. Reported as `filled`. Default `none`.
   */
  readonly fill?: "none" | "defaults" | "required"
  /** Drops list items that cannot be made to fit; reported as `dropped_item`. Default `false`. */
  readonly dropItems?: boolean
  /** Reads a list as the values of an object's properties, in their order; reported as `positional`. Default `false`. */
  readonly positional?: boolean
}

export interface Options extends RecoveryOptions {
  /** Accepts only valid JSON without duplicate names or text around it; repairs and coerces nothing. Default `false`. */
  readonly strict?: boolean
  /**
   * `refuse`: rejects a text whose value lacks possible data, or that ended before its value did; the reasons name each
   * repair with `loss`. Default `accept`.
   */
  readonly lossy?: "accept" | "refuse"
  /** Maximum nesting depth. Default 500. */
  readonly maxDepth?: number
  /** Maximum number of syntax repairs; a text that needs more is rejected. Comments do not count. Default 200,000. */
  readonly maxRepairs?: number
  /** Maximum text length in UTF-16 units. Default 64 Mi. */
  readonly maxLength?: number
}

/** A stream's value so far. */
export interface Partial {
  /** The best value so far, or `undefined`. Do not mutate it: parts are shared between partial values. */
  readonly value: Json | undefined
  /** JSON Pointers of the values in it that may still grow or change; every other value is complete. */
  readonly open: ReadonlyArray<string>
  readonly reasoning: string
}
