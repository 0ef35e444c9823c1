/** `--set` and environments: values written over a workflow file's own before it is read. */
import type { Json } from "@planloom/plugin"

export interface Setting {
  /** Keys by dots; an item of a list by its `id`, `name` or index: `stages.plan.timeout`. */
  readonly path: string
  readonly value: Json
}

/** The value with the settings applied in order. Mappings on the way are made; list items are not. */
export const applySettings = (value: Json, settings: ReadonlyArray<Setting>): Json =>
  settings.reduce((result, { path, value: given }) => setAt(result, path.split("."), given), value)

const setAt = (holder: Json | undefined, path: ReadonlyArray<string>, value: Json): Json => {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(holder)) {
    const items = holder as ReadonlyArray<Json>
    const index = items.findIndex((item, at) => String(at) === key || named(item, key))
    return index < 0 ? items : items.with(index, setAt(items[index], rest, value))
  }
  const object = typeof holder === "object" && holder !== null ? holder : {}
  return { ...object, [key]: setAt((object as { [key: string]: Json })[key], rest, value) }
}

const named = (item: Json, key: string): boolean => {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return false
  const { id, name } = item as { readonly [key: string]: Json }
  return id === key || name === key
}
