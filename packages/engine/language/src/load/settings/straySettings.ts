/** Finds settings that match nothing in the workflow, which would silently have no effect. */
import type { Json } from "@planloom/plugin/effect"
import { hint } from "@planloom/expression/suggestion"
import type { Problem } from "../../definition/Problem.ts"
import { isObject } from "@planloom/schema"
import type { DocumentPath } from "../../source/Document.ts"
import { itemNamed, settingPath } from "./settingPath.ts"
import type { Setting } from "./settings.ts"

/** Mappings whose keys the file declares, and the stage key that may refer to an entry declared elsewhere. */
const declared: ReadonlyMap<string, string | undefined> = new Map([
  ["inputs", undefined],
  ["flags", undefined],
  ["models", "model"],
  ["modes", undefined],
  ["outputs", undefined],
  ["policies.retry", "retry"],
  ["prompts", undefined],
  ["documents", undefined],
  ["session.state", undefined],
])

/** How far a setting's path matches, and the keys that could follow. */
export interface Stray {
  readonly at: DocumentPath
  readonly key: string
  readonly among: ReadonlyArray<string>
}

/**
 * A missing list item, or an entry that is neither declared nor referred to by a stage. Unknown keys are reported
 * by decoding. `models` are those of the project.
 */
export const strayIn = (
  written: Json,
  setting: Setting,
  settings: ReadonlyArray<Setting>,
  models: ReadonlyArray<string>,
): Stray | undefined => {
  const stray = walked(written, settingPath(written, setting), [])
  const asked = stray && declared.get(stray.at.join("."))
  if (stray === undefined || asked === undefined) return stray
  if (asked === "model" && models.includes(stray.key)) return undefined
  const given = settings.map(({ path, value }) => ({ [path.split(".").at(-1)!]: value }))
  if (mentions([written, ...given], asked, stray.key)) return undefined
  return asked === "model" ? { ...stray, among: [...new Set([...stray.among, ...models])] } : stray
}

const walked = (
  holder: Json | undefined,
  [key, ...rest]: ReadonlyArray<string>,
  at: DocumentPath,
): Stray | undefined => {
  if (key === undefined) return undefined
  if (Array.isArray(holder)) {
    const items = holder as ReadonlyArray<Json>
    const index = itemNamed(items, key)
    return index < 0
      ? { at, key, among: items.map(nameOf) }
      : walked(items[index], rest, [...at, index])
  }
  const known = holder !== undefined && isObject(holder) ? holder : {}
  if (!Object.hasOwn(known, key) && declared.has(at.join("."))) {
    return { at, key, among: Object.keys(known) }
  }
  return walked(known[key], rest, [...at, key])
}

const nameOf = (item: Json, index: number): string => {
  const { id, name } = isObject(item) ? item : {}
  return [id, name].find((found) => typeof found === "string") ?? String(index)
}

/** Whether a key of this name has the text as its value or as an item, at any depth. */
const mentions = (value: Json, key: string, text: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value as { readonly [key: string]: Json }).some(
    ([name, inner]) =>
      (name === key && [inner].flat().includes(text)) || mentions(inner, key, text),
  )

export const strayProblem = (path: string, { among, at, key }: Stray): Problem => ({
  code: "PL4016",
  message: `the setting "${path}" names nothing: ${at.join(".")} has no "${key}"`,
  path: at,
  spot: "key",
  help: hint(key, among, "there is") ?? "it is empty",
})
