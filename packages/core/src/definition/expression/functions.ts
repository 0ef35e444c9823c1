/** Every function an expression may call: its types, for `check`, and its work, for the run. */
import { createRequire } from "node:module"
import type { Json } from "@planloom/plugin"
import { any, bool, int, listOf, mapOf, never, number, string, union } from "./Type.ts"
import type { Type } from "./Type.ts"

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

const texts = listOf(string)
const scalars = union([string, number, bool])
const fail = (message: string): never => {
  throw new ExpressionFailed(message)
}

const itemOf = ([list]: ReadonlyArray<Type>): Type => (list?.kind === "list" ? list.item : any)
const sameList = (args: ReadonlyArray<Type>): Type => listOf(itemOf(args))

const define = <A extends ReadonlyArray<never>>(
  name: string,
  form: ExpressionFunction["form"],
  params: ReadonlyArray<Type>,
  returns: ExpressionFunction["returns"],
  summary: string,
  apply: (...args: A) => Json,
  optional = 0,
): ExpressionFunction => ({ name, form, params, returns, summary, apply: apply as never, optional })

const toNumber = (value: Json): number => {
  if (typeof value === "number") return value
  const parsed = typeof value === "string" && value.trim() === value ? Number(value || "x") : NaN
  return Number.isFinite(parsed) ? parsed : fail(`${show(value)} is not a number`)
}

const toInt = (value: Json): number => {
  const whole = Math.trunc(toNumber(value))
  if (typeof value === "string" && !/^[+-]?\d+$/.test(value))
    fail(`${show(value)} is not a whole number`)
  return Number.isSafeInteger(whole) ? whole : fail(`${show(value)} is beyond ±2^53`)
}

const trueWords = ["1", "t", "true", "TRUE", "True"]
const falseWords = ["0", "f", "false", "FALSE", "False"]

/** Numbers before texts before everything else; stable. */
const order = (a: Json, b: Json): number => {
  if (typeof a === "number" && typeof b === "number") return a - b
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  return fail(`${show(a)} and ${show(b)} have no order`)
}

const nonEmpty = <A>(list: ReadonlyArray<A>, what: string): ReadonlyArray<A> =>
  list.length > 0 ? list : fail(`${what}() of an empty list`)

const range = (text: string | ReadonlyArray<Json>, start: number, end: number): void => {
  if (start < 0 || end < start || end > text.length) {
    fail(`from ${start} to ${end} is outside of 0 to ${text.length}`)
  }
}

const bullet = (item: Json): string => `- ${renderText(item).replaceAll("\n", "\n  ")}`

/** As JSON text stands in a prompt: text as it is, nothing for null, JSON for the rest. */
export const renderText = (value: Json): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

const show = (value: Json): string => {
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

interface Re2 {
  readonly RE2JS: {
    readonly compile: (pattern: string) => { readonly test: (text: string) => boolean }
  }
}

let re2: Re2 | undefined
const compiled = new Map<string, { readonly test: (text: string) => boolean }>()

/** Linear in the length of the text, whatever the pattern (RE2). Loaded on the first use. */
const reMatch = (text: string, pattern: string): boolean => {
  re2 ??= createRequire(import.meta.url)("re2js") as Re2
  let regex = compiled.get(pattern)
  if (!regex) {
    try {
      regex = re2.RE2JS.compile(pattern)
    } catch (error) {
      return fail(`${show(pattern)} is not a regular expression: ${(error as Error).message}`)
    }
    if (compiled.size > 500) compiled.clear()
    compiled.set(pattern, regex)
  }
  return regex.test(text)
}

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

const all: ReadonlyArray<ExpressionFunction> = [
  define(
    "size",
    "both",
    [union([string, listOf(any), mapOf(any)])],
    int,
    "How many characters, items or keys.",
    (value: string | Array<Json> | object) =>
      typeof value === "string"
        ? codePoints(value)
        : Array.isArray(value)
          ? value.length
          : Object.keys(value).length,
  ),
  define("string", "function", [scalars], string, "As text.", (value: Json) => renderText(value)),
  define(
    "int",
    "function",
    [scalars],
    int,
    "As a whole number; cuts off what follows the point.",
    toInt,
  ),
  define("double", "function", [scalars], number, "As a number.", toNumber),
  define(
    "bool",
    "function",
    [union([string, bool])],
    bool,
    '"true" or "false" as true or false.',
    (value: Json) =>
      typeof value === "boolean"
        ? value
        : trueWords.includes(value as string)
          ? true
          : falseWords.includes(value as string)
            ? false
            : fail(`${show(value)} is not true or false`),
  ),
  define(
    "dyn",
    "function",
    [any],
    any,
    "The same value, no longer type-checked.",
    (value: Json) => value,
  ),
  define("json", "function", [any], string, "As JSON text.", (value: Json) =>
    JSON.stringify(value),
  ),
  define(
    "bullets",
    "function",
    [listOf(any)],
    string,
    "A Markdown list, one item a line.",
    (list: ReadonlyArray<Json>) => list.map(bullet).join("\n"),
  ),

  define(
    "startsWith",
    "method",
    [string, string],
    bool,
    "Whether it begins with a text.",
    (text: string, part: string) => text.startsWith(part),
  ),
  define(
    "endsWith",
    "method",
    [string, string],
    bool,
    "Whether it ends with a text.",
    (text: string, part: string) => text.endsWith(part),
  ),
  define(
    "contains",
    "method",
    [string, string],
    bool,
    "Whether it has a text in it.",
    (text: string, part: string) => text.includes(part),
  ),
  define("lowerAscii", "method", [string], string, "In small letters.", (text: string) =>
    text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  ),
  define("upperAscii", "method", [string], string, "In capital letters.", (text: string) =>
    text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  ),
  define("trim", "method", [string], string, "Without white space around it.", (text: string) =>
    text.trim(),
  ),
  define(
    "indexOf",
    "method",
    [string, string],
    int,
    "Where a text begins in it, or -1.",
    (text: string, part: string) => text.indexOf(part),
  ),
  define(
    "lastIndexOf",
    "method",
    [string, string],
    int,
    "Where a text begins last in it, or -1.",
    (text: string, part: string) => text.lastIndexOf(part),
  ),
  define(
    "substring",
    "method",
    [string, int, int],
    string,
    "From a place, up to another.",
    (text: string, start: number, end: number = text.length) => {
      range(text, start, end)
      return text.substring(start, end)
    },
    1,
  ),
  define(
    "replace",
    "method",
    [string, string, string],
    string,
    "With every occurrence replaced.",
    (text: string, from: string, to: string) => text.replaceAll(from, () => to),
  ),
  define(
    "split",
    "method",
    [string, string],
    texts,
    "Parts between a separator.",
    (text: string, separator: string) => text.split(separator),
  ),
  define(
    "join",
    "method",
    [listOf(scalars), string],
    string,
    "One text, with a separator between.",
    (list: ReadonlyArray<Json>, separator = "") =>
      list
        .map((item) =>
          typeof item === "object" ? fail(`join() of ${show(item)}`) : renderText(item),
        )
        .join(separator),
    1,
  ),
  define(
    "re_match",
    "function",
    [string, string],
    bool,
    "Whether a regular expression (RE2) finds something.",
    reMatch,
  ),

  define(
    "sum",
    "both",
    [listOf(number)],
    itemOf,
    "All numbers added up; 0 for none.",
    (list: ReadonlyArray<number>) => list.reduce((total, item) => total + item, 0),
  ),
  define(
    "min",
    "both",
    [listOf(union([number, string]))],
    itemOf,
    "The smallest item.",
    (list: ReadonlyArray<Json>) =>
      nonEmpty(list, "min").reduce((a, b) => (order(a, b) <= 0 ? a : b)),
  ),
  define(
    "max",
    "both",
    [listOf(union([number, string]))],
    itemOf,
    "The largest item.",
    (list: ReadonlyArray<Json>) =>
      nonEmpty(list, "max").reduce((a, b) => (order(a, b) >= 0 ? a : b)),
  ),
  define("round", "function", [number], int, "The nearest whole number.", (value: number) =>
    Math.round(value),
  ),
  define(
    "abs",
    "function",
    [number],
    ([type]) => type ?? number,
    "Without its sign.",
    (value: number) => Math.abs(value),
  ),
  define(
    "distinct",
    "method",
    [listOf(any)],
    sameList,
    "Each item once, in order.",
    (list: ReadonlyArray<Json>) =>
      list.filter((item, index) => list.findIndex((other) => equal(other, item)) === index),
  ),
  define(
    "sort",
    "method",
    [listOf(union([number, string]))],
    sameList,
    "Smallest first.",
    (list: ReadonlyArray<Json>) => list.toSorted(order),
  ),
  define("reverse", "method", [listOf(any)], sameList, "Last first.", (list: ReadonlyArray<Json>) =>
    list.toReversed(),
  ),
  define(
    "slice",
    "method",
    [listOf(any), int, int],
    sameList,
    "Items from a place, up to another.",
    (list: ReadonlyArray<Json>, start: number, end: number = list.length) => {
      range(list, start, end)
      return list.slice(start, end)
    },
    1,
  ),
  define(
    "flatten",
    "method",
    [listOf(any)],
    ([list]) => {
      const item = list ? itemOf([list]) : any
      return item.kind === "list" ? item : item.kind === "never" ? listOf(never) : listOf(any)
    },
    "Lists of lists as one list.",
    (list: ReadonlyArray<Json>) => list.flat(),
  ),
  define(
    "keys",
    "function",
    [mapOf(any)],
    texts,
    "The keys of an object, in order.",
    (value: object) => Object.keys(value),
  ),
  define(
    "values",
    "function",
    [mapOf(any)],
    ([object]) =>
      listOf(
        object?.kind === "object"
          ? union([
              ...Object.values(object.fields).map(({ type }) => type),
              ...(object.rest ? [object.rest] : []),
            ])
          : any,
      ),
    "The values of an object, in the order of its keys.",
    (value: object) => Object.values(value),
  ),
]

export const functions: ReadonlyMap<string, ExpressionFunction> = new Map(
  all.map((one) => [one.name, one]),
)

/** `[1, 2] in`-style lookups used by both the checker's hints and the reference page. */
export const signatureOf = (one: ExpressionFunction): string => {
  const names = one.params.map((type) => (type.kind === "union" ? "value" : type.kind))
  const method = one.form === "method"
  const args = method ? names.slice(1) : names
  return `${method ? `${names[0]}.` : ""}${one.name}(${args.join(", ")})`
}
