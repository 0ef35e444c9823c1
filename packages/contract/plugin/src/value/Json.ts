/** JSON values, which cross every boundary of the engine (journal, events, models, tools). */

/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [key: string]: Json }

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether a value is an object, and neither a list nor null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * A JSON Schema, draft-07 or 2020-12, as plain data. `true` accepts everything.
 * The engine reads `type`, `properties`, `required`, `items`, `enum`, `const`, `additionalProperties`,
 * `anyOf` and `oneOf` to type expressions; validation honors all keywords.
 */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }
