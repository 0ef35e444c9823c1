/** What a function of expressions is, and what all of them share. */
import type { Json } from "@planloom/plugin"
import type { Type } from "../infer/Type.ts"

/** An expression could not be evaluated on these values. */
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
  /** With the receiver first. */
  readonly params: ReadonlyArray<Type>
  /** How many of the last parameters may be left out. */
  readonly optional?: number
  readonly returns: Type | ((args: ReadonlyArray<Type>) => Type)
  readonly summary: string
  readonly apply: (...args: ReadonlyArray<never>) => Json
}

/** Ends the evaluation with a reason. */
export const fail = (message: string): never => {
  throw new ExpressionFailed(message)
}

/** Declares one; `apply` gets plain values of the types of `params`. */
export const define = <A extends ReadonlyArray<never>>(
  name: string,
  form: ExpressionFunction["form"],
  params: ReadonlyArray<Type>,
  returns: ExpressionFunction["returns"],
  summary: string,
  apply: (...args: A) => Json,
  optional = 0,
): ExpressionFunction => ({ name, form, params, returns, summary, apply: apply as never, optional })

/** As JSON text stands in a prompt: text as it is, nothing for null, JSON for the rest. */
export const renderText = (value: Json): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** A value in a message. */
export const show = (value: Json): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Equality of plain data; numbers by value. */
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

/** Refuses a part that is not inside of the whole. */
export const checkRange = (
  text: string | ReadonlyArray<Json>,
  start: number,
  end: number,
): void => {
  if (start < 0 || end < start || end > text.length) {
    fail(`from ${start} to ${end} is outside of 0 to ${text.length}`)
  }
}
