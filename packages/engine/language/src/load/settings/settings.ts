/** Applies `--set` and environments: values that override those of a workflow file before it is decoded. */
import type { Json } from "@planloom/plugin/effect"
import type { Document, DocumentPath } from "../../source/Document.ts"
import { itemNamed, settingPath } from "./settingPath.ts"

export interface Setting {
  /** Keys by dots; an item of a list by its `id`, `name` or index, a stage at any depth by its id: `stages.plan.timeout`. */
  readonly path: string
  readonly value: Json
}

/** The value with the settings applied in order. Mappings on the way are made; list items are not. */
const applySettings = (value: Json, settings: ReadonlyArray<Setting>): Json =>
  settings.reduce(
    (result, setting) => setAt(result, settingPath(result, setting), setting.value),
    value,
  )

/**
 * The document with the settings applied; a problem with an overridden value names its setting, because the
 * file has another value.
 */
export const withSettings = (document: Document, settings: ReadonlyArray<Setting>): Document => {
  if (settings.length === 0) return document
  const value = applySettings(document.value, settings)
  const places = settings.map((setting) => {
    const { path, value: given } = setting
    return {
      place: placeOf(value, settingPath(value, setting)),
      said: `${path}=${typeof given === "string" ? given : JSON.stringify(given)}`,
    }
  })
  return {
    ...document,
    value,
    setBy: (path) =>
      places.findLast(({ place }) =>
        isWithin(path, place) ? true : isWithin(place, path) && !holds(document.value, path),
      )?.said,
  }
}

const isWithin = (inner: DocumentPath, outer: DocumentPath): boolean =>
  outer.every((segment, at) => inner[at] === segment)

const holds = (value: Json | undefined, [key, ...rest]: DocumentPath): boolean => {
  if (key === undefined) return true
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false
  return holds((value as { readonly [key: string]: Json })[key], rest)
}

/** The setting's path with the indexes of the list items it names. */
const placeOf = (holder: Json | undefined, path: ReadonlyArray<string>): DocumentPath => {
  const [key, ...rest] = path
  if (key === undefined) return []
  if (Array.isArray(holder)) {
    const items = holder as ReadonlyArray<Json>
    const index = itemNamed(items, key)
    return index < 0 ? path : [index, ...placeOf(items[index], rest)]
  }
  const object = typeof holder === "object" && holder !== null ? holder : {}
  return [key, ...placeOf((object as { readonly [key: string]: Json })[key], rest)]
}

const setAt = (holder: Json | undefined, path: ReadonlyArray<string>, value: Json): Json => {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(holder)) {
    const items = holder as ReadonlyArray<Json>
    const index = itemNamed(items, key)
    return index < 0 ? items : items.with(index, setAt(items[index], rest, value))
  }
  const object = typeof holder === "object" && holder !== null ? holder : {}
  return { ...object, [key]: setAt((object as { [key: string]: Json })[key], rest, value) }
}
