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

/** An issue of an invalid value. */
export interface SchemaIssue {
  /** JSON Pointer into the value, empty for the value itself. */
  readonly path: string
  /** A sentence without its subject: `must be integer`. */
  readonly message: string
  /** The failed keyword; `false` for the schema `false`. */
  readonly keyword: string
  /** The missing (`required`) or disallowed (`additionalProperties`) property. */
  readonly property?: string
}

/** Lists the issues of a value; empty if it is valid. Does not fill in `default`s. */
export type Validate = (value: Json) => ReadonlyArray<SchemaIssue>

/** Whether a value is an object, and neither a list nor null. */
export const isObject = (value: unknown): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Escapes one step of a JSON Pointer. */
export const escapeStep = (key: string): string =>
  key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key
