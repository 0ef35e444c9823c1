/** Detects JSON text whose objects may have duplicate names, of which `JSON.parse` keeps the last. */
import type { Json } from "./Schema.ts"

/** Whether valid JSON may have duplicate names: more colons after quotes than members in its value. `false` is certain. */
export const mayRepeatNames = (text: string, value: Json): boolean => {
  let colons = 0
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let before = at - 1
    while (before >= 0 && text.charCodeAt(before) <= 32) before--
    if (text.charCodeAt(before) === 34) colons++
  }
  return colons > membersOf(value)
}

/** How many members the objects of a value have. */
export const membersOf = (value: Json): number => {
  let members = 0
  const open = [value]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== "object" || part === null) continue
    const inner: ReadonlyArray<Json> = Array.isArray(part) ? part : Object.values(part)
    if (inner !== part) members += inner.length
    for (const item of inner) if (typeof item === "object" && item !== null) open.push(item)
  }
  return members
}
