/** The type of an expression function, and helpers for its implementations. */
import type { Json } from "@planloom/plugin/effect"
import type { FieldIssue, Type } from "../infer/Type.ts"

/** An expression that cannot be evaluated on the given values. */
export class ExpressionFailed extends Error {
  override readonly name = "ExpressionFailed"
  readonly _tag = "ExpressionFailed"
  /** The expression's text. */
  source = ""
}

/** What the documentation shows of a function or a macro. */
export interface FunctionReference {
  readonly name: string
  /** Such as `sort_by(list<A>, field: text, order?: text) → list<A>`. */
  readonly signature: string
  readonly summary: string
  readonly example: { readonly expression: string; readonly result: Json }
}

/** A function that is called as `name(x, …)` or on its first argument, `x.name(…)`. */
export interface ExpressionFunction extends FunctionReference {
  readonly params: ReadonlyArray<Type>
  /** The number of optional parameters at the end. */
  readonly optional: number
  /** Whether the last parameter may be repeated. */
  readonly variadic: boolean
  /** Whether the time of a call does not depend on the length of its lists. */
  readonly instant: boolean
  readonly returns: Type | ((args: ReadonlyArray<Type>) => Type)
  /** The issue of arguments that have the parameter types and yet always fail. */
  readonly check?: (args: ReadonlyArray<Type>) => ArgumentIssue | undefined
  readonly apply: (...args: ReadonlyArray<never>) => Json
}

export interface ArgumentIssue extends Omit<FieldIssue, "fix"> {
  /** The position of the argument. */
  readonly index: number
}

/** The most items of a list and characters of a text that one call returns. */
export const MAX_LIST_ITEMS = 1_000_000
export const MAX_TEXT_CHARACTERS = 16_000_000

/** Throws `ExpressionFailed`. */
export const fail = (message: string): never => {
  throw new ExpressionFailed(message)
}

/** The fallback of a call that has no other result. */
export const orFail = (fallback: Json | undefined, message: string): Json =>
  fallback === undefined ? fail(message) : fallback

interface Definition<A extends ReadonlyArray<never>> {
  readonly summary: string
  readonly example: readonly [expression: string, result: Json]
  readonly params: ReadonlyArray<Type>
  readonly optional?: number
  readonly variadic?: boolean
  readonly instant?: boolean
  readonly returns: ExpressionFunction["returns"]
  readonly check?: (args: ReadonlyArray<Type>) => ArgumentIssue | undefined
  readonly apply: (...args: A) => Json
}

/** Declares a function by its signature; `apply` receives plain values of the types in `params`. */
export const define = <A extends ReadonlyArray<never>>(
  signature: string,
  { apply, example: [expression, result], ...rest }: Definition<A>,
): ExpressionFunction => ({
  optional: 0,
  variadic: false,
  instant: false,
  ...rest,
  name: signature.slice(0, signature.indexOf("(")),
  signature,
  example: { expression, result },
  apply: apply as never,
})

/** Renders a value for a prompt: text unchanged, null as empty text, JSON for all other values. */
export const renderText = (value: Json): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** Renders a value for a message, abridged. */
export const show = (value: Json): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Fails for a text that would be longer than a call may return. */
export const checkLength = (characters: number, name: string): void => {
  if (characters > MAX_TEXT_CHARACTERS) {
    fail(`${name}() would return more than ${MAX_TEXT_CHARACTERS.toLocaleString("en")} characters`)
  }
}

/** Deep equality of plain data. */
export const equal = (a: Json | undefined, b: Json | undefined): boolean => {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item: Json, index) => equal(item, b[index] as Json))
  }
  const left = a as { readonly [key: string]: Json }
  const right = b as { readonly [key: string]: Json }
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]))
  )
}

/** A text that two values share exactly if they are equal. */
export const identity = (value: Json): string =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? `{${Object.entries(value)
        .map(([key, one]) => `${JSON.stringify(key)}:${identity(one as Json)}`)
        .toSorted()
        .join()}}`
    : Array.isArray(value)
      ? `[${value.map(identity).join()}]`
      : JSON.stringify(value)

/** Fails unless the range lies within the text or list. */
export const checkRange = (
  text: string | ReadonlyArray<Json>,
  start: number,
  end: number,
): void => {
  if (start < 0 || end < start || end > text.length) {
    fail(`from ${start} to ${end} is outside of 0 to ${text.length}`)
  }
}
