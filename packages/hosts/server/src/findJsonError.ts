/** Finds where a text stops being JSON. `JSON.parse` reports a position for some errors only. */

export interface JsonErrorLocation {
  /** Characters before the error. */
  readonly offset: number
  /** Both count from 1. */
  readonly line: number
  readonly col: number
}

const space = /[\t\n\r ]*/y
// oxlint-disable-next-line no-control-regex -- not allowed in a JSON string
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y
const plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** For a text that `JSON.parse` rejected. Uses its own stack, so that nesting depth is not limited. */
export const findJsonError = (text: string): JsonErrorLocation => {
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
  /** Closing brackets of the open lists and objects. */
  const open: Array<"]" | "}"> = []
  const key = () => (take(space), take(string)) && skip(":")
  /** Whether a value is complete; undefined at an error. */
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
  const scan = (): boolean => {
    let complete = value()
    while (complete !== undefined) {
      if (!complete) {
        complete = value()
        continue
      }
      const closing = open.at(-1)
      if (closing === undefined) return true
      if (skip(closing)) open.pop()
      else if (skip(",") && (closing === "]" || key())) complete = false
      else complete = undefined
    }
    return false
  }
  scan()
  take(space)
  const before = text.slice(0, at).split("\n")
  return { offset: at, line: before.length, col: before.at(-1)!.length + 1 }
}
