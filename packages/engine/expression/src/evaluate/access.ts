/** Reads own properties by name or path, and fails with a message if one is missing. */
import type { Json } from "@planloom/plugin/effect"
import { ExpressionFailed } from "./ExpressionFunction.ts"

/** The values that an expression can refer to by name. */
export type ExpressionScope = { readonly [name: string]: Json | undefined }

export const fail = (message: string): never => {
  throw new ExpressionFailed(message)
}

/** Compiles a path of plain names to a direct read from the scope. */
export const readPath = (path: ReadonlyArray<string>): ((scope: ExpressionScope) => Json) => {
  const [root, ...names] = path as [string, ...Array<string>]
  const count = names.length
  // Names that no prototype has need no own-property check, which is most of the cost.
  const plain = path.every((name) => !(name in Array.prototype) && name !== "__proto__")
  const own = plain ? get : getOwn
  return (scope) => {
    let value = own(scope, root)
    if (value === undefined) return fail(`${root} has no value here`)
    for (let index = 0; index < count; index++) {
      const next = own(value, names[index]!)
      if (next === undefined) return missing(path, index + 1, value)
      value = next
    }
    return value
  }
}

type Holder = { readonly [key: string]: Json | undefined }

const get = (holder: unknown, name: string): Json | undefined =>
  typeof holder === "object" && holder !== null ? (holder as Holder)[name] : undefined

export const getOwn = (holder: unknown, name: string): Json | undefined =>
  typeof holder === "object" &&
  holder !== null &&
  !Array.isArray(holder) &&
  Object.hasOwn(holder, name)
    ? (holder as Holder)[name]
    : undefined

const missing = (path: ReadonlyArray<string>, at: number, holder: Json): never => {
  const shown = path.slice(0, at).join(".")
  return fail(
    holder !== null && typeof holder === "object"
      ? `${shown} has no ${path[at]}`
      : `${shown} is ${holder === null ? "null" : `a ${typeof holder}`}, it has no ${path[at]}`,
  )
}

/** Sets a property; the key `__proto__` is plain data too. */
export const define = (object: { [key: string]: Json }, name: string, value: Json): void => {
  if (name === "__proto__") {
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  } else object[name] = value
}

export const read = (holder: Json, name: string, shown: string): Json => {
  if (
    holder !== null &&
    typeof holder === "object" &&
    !Array.isArray(holder) &&
    Object.hasOwn(holder, name)
  ) {
    const value = (holder as { readonly [key: string]: Json | undefined })[name]
    if (value !== undefined) return value
  }
  return missing([shown, name], 1, holder)
}
