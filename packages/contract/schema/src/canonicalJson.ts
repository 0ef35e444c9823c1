/** Canonical text of JSON: equal values have equal text, whatever the order of their keys. */
import { isObject, type Json } from "./Schema.ts"

export const canonicalJson = (value: Json): string => JSON.stringify(sorted(value))

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const names = Object.keys(value)
  if (isInOrder(value, names)) return value
  return Object.fromEntries(names.toSorted().map((name) => [name, sorted(value[name]!)]))
}

/** Whether a flat object is written in order, as most params of tools are. */
const isInOrder = (object: { readonly [name: string]: Json }, names: ReadonlyArray<string>) =>
  names.every((name, index) => {
    const value = object[name]
    return (
      (typeof value !== "object" || value === null) && (index === 0 || names[index - 1]! < name)
    )
  })
