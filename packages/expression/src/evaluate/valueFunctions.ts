/** Expression functions on any value: conversions, numbers, sizes, keys. */
import type { Json } from "@planloom/plugin/effect"
import { define, fail, renderText, show } from "./ExpressionFunction.ts"
import type { ExpressionFunction } from "./ExpressionFunction.ts"
import { any, bool, int, listOf, mapOf, number, string, union } from "../infer/Type.ts"

const scalars = union([string, number, bool])

const toNumber = (value: Json): number => {
  if (typeof value === "number") return value
  const parsed = typeof value === "string" && value.trim() === value ? Number(value || "x") : NaN
  return Number.isFinite(parsed) ? parsed : fail(`${show(value)} is not a number`)
}

const toInt = (value: Json): number => {
  const whole = Math.trunc(toNumber(value)) + 0
  if (typeof value === "string" && !/^[+-]?\d+$/.test(value))
    fail(`${show(value)} is not a whole number`)
  return Number.isSafeInteger(whole) ? whole : fail(`${show(value)} is beyond ±2^53`)
}

const trueWords = ["1", "t", "true", "TRUE", "True"]

const falseWords = ["0", "f", "false", "FALSE", "False"]

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

export const valueFunctions: ReadonlyArray<ExpressionFunction> = [
  define(
    "size",
    "both",
    [union([string, listOf(any), mapOf(any)])],
    int,
    "The number of characters, items or keys.",
    (value: string | Array<Json> | object) =>
      typeof value === "string"
        ? codePoints(value)
        : Array.isArray(value)
          ? value.length
          : Object.keys(value).length,
  ),
  define("string", "function", [scalars], string, "The value as text.", (value: Json) =>
    renderText(value),
  ),
  define(
    "int",
    "function",
    [scalars],
    int,
    "The value as a whole number; decimals are truncated.",
    toInt,
  ),
  define("double", "function", [scalars], number, "The value as a number.", toNumber),
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
    "The same value without type checking.",
    (value: Json) => value,
  ),
  define("json", "function", [any], string, "The value as JSON text.", (value: Json) =>
    JSON.stringify(value),
  ),
  define(
    "round",
    "function",
    [number],
    int,
    "The nearest whole number.",
    (value: number) => Math.round(value) + 0,
  ),
  define(
    "abs",
    "function",
    [number],
    ([type]) => type ?? number,
    "The absolute value.",
    (value: number) => Math.abs(value),
  ),
  define(
    "keys",
    "function",
    [mapOf(any)],
    listOf(string),
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
