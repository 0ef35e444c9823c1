/** The place at which a text stops being JSON: the parser's own message would show the text around it. */
import { MAX_JSON_DEPTH } from "@planloom/schema"

const STRING = /[ \t\n\r]*"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR = /[ \t\n\r]*(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y

/** `line:column`, from 1. */
export const jsonFault = (text: string): string => {
  let at = 0
  const take = (token: RegExp): boolean => {
    token.lastIndex = at
    const found = token.test(text)
    if (found) at = token.lastIndex
    return found
  }
  const members = (end: RegExp, member: () => boolean): boolean => {
    if (take(end)) return true
    do if (!member()) return false
    while (take(/[ \t\n\r]*,/y))
    return take(end)
  }
  const value = (depth: number): boolean => {
    // Nested deeper, the place is the value at this depth.
    if (depth > MAX_JSON_DEPTH) return false
    if (take(/[ \t\n\r]*\{/y)) {
      return members(
        /[ \t\n\r]*\}/y,
        () => take(STRING) && take(/[ \t\n\r]*:/y) && value(depth + 1),
      )
    }
    if (take(/[ \t\n\r]*\[/y)) return members(/[ \t\n\r]*\]/y, () => value(depth + 1))
    return take(STRING) || take(SCALAR)
  }
  value(0)
  take(/[ \t\n\r]*/y)
  const lines = text.slice(0, at).split("\n")
  return `${lines.length}:${lines.at(-1)!.length + 1}`
}
