/** The type of an expression function, and helpers for its implementations. */
import type { Json } from "@planloom/plugin/effect"
import type { Type } from "../infer/Type.ts"

/** An expression that cannot be evaluated on the given values. */
export class ExpressionFailed extends Error {
  override readonly name = "ExpressionFailed"
  readonly _tag = "ExpressionFailed"
  /** The expression's text. */
  source = ""
}

export interface ExpressionFunction {
  readonly name: string
  /** `size(x)`, `x.size()`, or either. */
  readonly form: "function" | "method" | "both"
  /** Parameter types, the receiver first. */
  readonly params: ReadonlyArray<Type>
  /** The number of optional parameters at the end. */
  readonly optional?: number
  readonly returns: Type | ((args: ReadonlyArray<Type>) => Type)
  readonly summary: string
  readonly apply: (...args: ReadonlyArray<never>) => Json
}

/** Throws `ExpressionFailed`. */
export const fail = (message: string): never => {
  throw new ExpressionFailed(message)
}

/** Declares a function; `apply` receives plain values of the types in `params`. */
export const define = <A extends ReadonlyArray<never>>(
  name: string,
  form: ExpressionFunction["form"],
  params: ReadonlyArray<Type>,
  returns: ExpressionFunction["returns"],
  summary: string,
  apply: (...args: A) => Json,
  optional = 0,
): ExpressionFunction => ({ name, form, params, returns, summary, apply: apply as never, optional })

/** Renders a value for a prompt: text unchanged, null as empty text, JSON for all other values. */
export const renderText = (value: Json): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** Renders a value for a message, abridged. */
export const show = (value: Json): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
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
