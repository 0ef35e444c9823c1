/** Shape and equality of plain data. */
import type { Json, JsonObject } from "@planloom/plugin"

type IsObject = {
  (value: Json | undefined): value is JsonObject
  (value: unknown): value is { readonly [key: string]: unknown }
}

export const isObject = ((value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value)) as IsObject

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
