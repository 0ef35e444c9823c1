/** Whether a result holds nothing: null, an empty list, or an object whose lists are all empty. */
import type { Json } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"

export const isEmptyResult = (result: Json): boolean => {
  if (result === null) return true
  if (Array.isArray(result)) return result.every((item: Json) => isEmptyResult(item))
  if (!isObject(result)) return false
  const lists = Object.values(result).filter((value) => Array.isArray(value))
  return lists.length > 0 && lists.every((list) => (list as ReadonlyArray<Json>).length === 0)
}
