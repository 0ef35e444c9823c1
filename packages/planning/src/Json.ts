/** Plain data, as it crosses every border; structurally equal to the contract's own types. */

/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [key: string]: Json }

export interface JsonObject {
  readonly [key: string]: Json
}

/** A JSON Schema as plain data; `true` accepts everything. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Equality of plain data; the order of keys does not count. */
export const sameJson = (left: unknown, right: unknown): boolean => {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]))
  )
}
