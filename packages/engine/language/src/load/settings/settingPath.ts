/** Resolves the path of a setting: a stage at any depth is found by its id, a flag in its long form gets another default. */
import { isObject } from "@planloom/schema"
import type { Json } from "@planloom/plugin/effect"

/** The path by keys, ids and indexes from the outermost mapping. */
export const settingPath = (
  workflow: Json,
  { path, value }: { readonly path: string; readonly value: Json },
): ReadonlyArray<string> => {
  const segments = path.split(".")
  const [root = "", name = "", ...rest] = segments
  if (!isObject(workflow)) return segments
  const held = workflow[root]
  if (root === "flags" && rest.length === 0 && held !== undefined && isObject(held)) {
    const flag = held[name]
    return flag !== undefined && isObject(flag) && !isObject(value)
      ? [...segments, "default"]
      : segments
  }
  if ((root !== "stages" && root !== "finally") || !Array.isArray(held)) return segments
  const items = held as ReadonlyArray<Json>
  if (itemNamed(items, name) >= 0) return segments
  const inside = within(items, name)
  return inside === undefined ? segments : [root, ...inside, ...rest]
}

/** Index of the list item with this `id`, `name` or index; -1 when missing. */
export const itemNamed = (items: ReadonlyArray<Json>, key: string): number =>
  items.findIndex((item, at) => String(at) === key || named(item, key))

const named = (item: Json, key: string): boolean => {
  if (!isObject(item)) return false
  const { id, name } = item
  return id === key || name === key
}

/** The path to the stage of this id inside of these stages. */
const within = (stages: ReadonlyArray<Json>, id: string): ReadonlyArray<string> | undefined => {
  for (const [index, stage] of stages.entries()) {
    const inside = isObject(stage) ? inStage(stage, id) : undefined
    if (inside !== undefined) return [String(index), ...inside]
  }
  return undefined
}

const inStage = (
  stage: { readonly [key: string]: Json },
  id: string,
): ReadonlyArray<string> | undefined => {
  if (stage["id"] === id) return []
  const { stages, with: given } = stage
  const inner = Array.isArray(stages) ? within(stages as ReadonlyArray<Json>, id) : undefined
  if (inner !== undefined) return ["stages", ...inner]
  if (stage["uses"] !== "switch" || given === undefined || !isObject(given)) return undefined
  const { cases, else: otherwise } = given
  const branches: ReadonlyArray<readonly [path: ReadonlyArray<string>, name: string, Json]> = [
    ...(cases !== undefined && isObject(cases)
      ? Object.entries(cases).map(([name, one]) => [["cases", name], name, one] as const)
      : []),
    ...(otherwise === undefined ? [] : [[["else"], "else", otherwise] as const]),
  ]
  for (const [path, name, one] of branches) {
    if (!isObject(one)) continue
    // A case without an id is called by the switch and its value.
    const isMeant = one["id"] === undefined && `${String(stage["id"])}_${name}` === id
    const found = isMeant ? [] : inStage(one, id)
    if (found !== undefined) return ["with", ...path, ...found]
  }
  return undefined
}
