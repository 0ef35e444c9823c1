/** Plain data, JSON Schema, and the result of a validation. */

/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [key: string]: Json }

/** A JSON Schema as plain data; `true` accepts everything. */
export type JsonSchema = boolean | SchemaObject

export interface SchemaObject {
  readonly [keyword: string]: unknown
}

/** One part of a value that does not fit. */
export interface SchemaIssue {
  /** JSON Pointer into the value, empty for the value itself. */
  readonly path: string
  /** A sentence without its subject: `must be integer`. */
  readonly message: string
  /** The keyword that refused the value; `false` for the schema `false`. */
  readonly keyword: string
  /** The property that is missing (`required`) or not allowed (`additionalProperties`). */
  readonly property?: string
}

/** Lists what does not fit; empty when the value is valid. Values for `default` are not filled in. */
export type Validate = (value: Json) => ReadonlyArray<SchemaIssue>

/** Whether a value is an object with keys: not a list, not null. */
export const isObject = (value: unknown): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** One step of a JSON Pointer. */
export const escapeStep = (key: string): string =>
  key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key
