/** Schemas without what says nothing on which values are valid. */
import { mapKeyword } from "./keywords.ts"
import { isObject, type JsonSchema } from "./Schema.ts"

const annotations: ReadonlySet<string> = new Set([
  "$comment",
  "$schema",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
])

/** Lists of which the order has no meaning. */
const unordered: ReadonlySet<string> = new Set(["enum", "required", "type"])

/** A schema without annotations and with its lists in one order: two that accept the same for the same reasons are equal. */
export const withoutAnnotations = (schema: JsonSchema): JsonSchema =>
  typeof schema === "boolean"
    ? schema
    : Object.fromEntries(
        Object.entries(schema).flatMap(([word, value]) =>
          annotations.has(word)
            ? []
            : [
                [
                  word,
                  unordered.has(word) && Array.isArray(value)
                    ? value.toSorted(byText)
                    : mapKeyword(word, value, withoutAnnotations),
                ],
              ],
        ),
      )

const byText = (one: unknown, other: unknown): number => {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** The same schema without `$schema` at any place; the schema itself if it has none. */
export const withoutDialect = (schema: JsonSchema): JsonSchema => {
  if (!isObject(schema)) return schema
  let changed = false
  const entries = Object.entries(schema).flatMap(([word, value]) => {
    if (word === "$schema") {
      changed = true
      return []
    }
    const inner: unknown = mapKeyword(word, value, (one) => {
      const made = withoutDialect(one)
      changed ||= made !== one
      return made
    })
    return [[word, inner]]
  })
  return changed ? Object.fromEntries(entries) : schema
}
