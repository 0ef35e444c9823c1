/** Whether a result holds nothing: null, an empty list, an object of empty lists beside which nothing has a value, or one with `found: false`. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"

export const isEmptyResult = (result: Json): boolean => {
  if (result === null) return true
  if (Array.isArray(result)) return result.every((item: Json) => isEmptyResult(item))
  if (!isObject(result)) return false
  if ((result as JsonObject)["found"] === false) return true
  const values = Object.values(result)
  return values.some((value) => Array.isArray(value)) && values.every(isNothing)
}

const isNothing = (value: Json): boolean =>
  Array.isArray(value)
    ? value.length === 0
    : value === null || value === 0 || value === "" || value === false
