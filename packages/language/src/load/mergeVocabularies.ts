/** The vocabularies of several catalogs as one: lists are joined, a later word for one thing wins. */
import type { Json, JsonObject } from "@planloom/plugin"
import { isObject } from "@planloom/schema"

const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

const join = (earlier: Json | undefined, later: Json): Json => {
  if (isList(earlier) && isList(later)) {
    const known = new Set(earlier.map((item) => JSON.stringify(item)))
    return [...earlier, ...later.filter((item) => !known.has(JSON.stringify(item)))]
  }
  return earlier !== undefined && isObject(earlier) && isObject(later)
    ? joinObjects(earlier, later)
    : later
}

const joinObjects = (earlier: JsonObject, later: JsonObject): JsonObject => {
  const keys = new Set([...Object.keys(earlier), ...Object.keys(later)])
  return Object.fromEntries(
    [...keys].map((key) => {
      const given = Object.hasOwn(later, key) ? later[key] : undefined
      const known = Object.hasOwn(earlier, key) ? earlier[key] : undefined
      return [key, given === undefined ? (known as Json) : join(known, given)]
    }),
  )
}

/** In declared order; undefined when there is none. */
export const mergeVocabularies = (given: ReadonlyArray<JsonObject>): JsonObject | undefined =>
  given.reduce<JsonObject | undefined>(
    (all, one) => (all === undefined ? one : joinObjects(all, one)),
    undefined,
  )
