/** Canonical text of JSON: equal values have equal text, whatever the order of their keys. */
import { isObject, type Json } from "./Schema.ts"

export const canonicalJson = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).toSorted()
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`).join(",")}}`
}
