/** Settings that name nothing: without a word, what somebody meant to change would stay as it is. */
import type { Json } from "@planloom/plugin"
import { hint } from "@planloom/expression/suggestion"
import type { Problem } from "../definition/Problem.ts"
import { isObject } from "@planloom/schema"
import type { DocumentPath } from "../source/Document.ts"
import { itemNamed, type Setting } from "./settings.ts"

/** Mappings whose keys the file declares, and the key by which stages may ask for one that others declare. */
const declared: ReadonlyMap<string, string | undefined> = new Map([
  ["inputs", undefined],
  ["flags", undefined],
  ["models", "model"],
  ["modes", undefined],
  ["outputs", undefined],
  ["policies.retry", "retry"],
  ["prompts", undefined],
  ["session.state", undefined],
])

/** How far a setting's path is right, and what comes next there. */
export interface Stray {
  readonly at: DocumentPath
  readonly key: string
  readonly among: ReadonlyArray<string>
}

/**
 * An item that no list has, or an entry that is not declared and that no stage asks for. Keys that no workflow has
 * are left to reading, which knows every one. `models` are those of the project.
 */
export const strayIn = (
  written: Json,
  setting: Setting,
  settings: ReadonlyArray<Setting>,
  models: ReadonlyArray<string>,
): Stray | undefined => {
  const stray = walked(written, setting.path.split("."), [])
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

/** Whether a key of this name holds the text, alone or in a list, anywhere in the value. */
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
  help: hint(key, among, "there is") ?? "it has nothing yet",
})
