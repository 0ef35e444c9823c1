/** Where a text stops being JSON. The built-in parser says so only for some faults, and in its own words. */

export interface JsonFault {
  /** Characters before it. */
  readonly offset: number
  /** Both count from 1. */
  readonly line: number
  readonly col: number
}

const space = /[\t\n\r ]*/y
// oxlint-disable-next-line no-control-regex -- a text in JSON may not hold them
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Of a text that `JSON.parse` has refused. Keeps its own stack, so that no nesting is too deep. */
export const jsonFault = (text: string): JsonFault => {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }
  const skip = (character: string): boolean => {
    take(space)
    if (text[at] !== character) return false
    at++
    return true
  }
  /** What closes each list and object that is open. */
  const open: Array<"]" | "}"> = []
  const key = () => (take(space), take(string)) && skip(":")
  /** Whether a whole value is over. */
  const value = (): boolean | undefined => {
    if (skip("[")) {
      if (skip("]")) return true
      open.push("]")
      return false
    }
    if (skip("{")) {
      if (skip("}")) return true
      open.push("}")
      return key() ? false : undefined
    }
    return take(string) || take(plain) ? true : undefined
  }
  const within = (): boolean => {
    let over = value()
    while (over !== undefined) {
      if (!over) {
        over = value()
        continue
      }
      const closing = open.at(-1)
      if (closing === undefined) return true
      if (skip(closing)) open.pop()
      else if (skip(",") && (closing === "]" || key())) over = false
      else over = undefined
    }
    return false
  }
  within()
  take(space)
  const before = text.slice(0, at).split("\n")
  return { offset: at, line: before.length, col: before.at(-1)!.length + 1 }
}
