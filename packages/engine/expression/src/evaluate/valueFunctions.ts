/** Expression functions on single values: conversions, numbers, sizes. */
import type { Json } from "@planloom/plugin/effect"
import { MAX_JSON_DEPTH } from "@planloom/schema"
import { define, fail, orFail, renderText, show } from "./ExpressionFunction.ts"
import type { ExpressionFunction } from "./ExpressionFunction.ts"
import { any, bool, int, listOf, mapOf, number, string, union } from "../infer/Type.ts"

const scalars = union([string, number, bool])

const readNumber = (value: Json): number => {
  if (typeof value === "number") return value
  const parsed = typeof value === "string" && value.trim() === value ? Number(value || "x") : NaN
  return Number.isFinite(parsed) ? parsed : fail(`${show(value)} is not a number`)
}

const toInt = (value: Json): number => {
  const whole = Math.trunc(readNumber(value)) + 0
  if (typeof value === "string" && !/^[+-]?\d+$/.test(value))
    fail(`${show(value)} is not a whole number`)
  return Number.isSafeInteger(whole) ? whole : fail(`${show(value)} is beyond ±2^53`)
}

/** The number of a text with spaces around it, or the fallback. */
const toNumber = (value: Json, fallback?: Json): Json => {
  if (typeof value === "number") return value
  const text = typeof value === "string" ? value.trim() : ""
  const parsed = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN
  return Number.isFinite(parsed) ? parsed : orFail(fallback, `${show(value)} is not a number`)
}

const roundTo = (value: number, digits = 0): number => {
  if (digits < 0 || digits > 15) return fail(`round() keeps 0 to 15 digits, not ${digits}`)
  // Shifting the decimal exponent rounds 1.005 to 1.01; a number written with an exponent cannot be shifted so.
  const rounded = String(value).includes("e")
    ? Number(value.toFixed(digits))
    : Number(`${Math.round(Number(`${value}e${digits}`))}e-${digits}`)
  return rounded + 0
}

const checkParsed = (value: Json, depth: number): void => {
  if (typeof value === "number" && !Number.isFinite(value))
    fail("parse_json(): a number is too large")
  if (typeof value !== "object" || value === null) return
  if (depth === 0) fail(`parse_json(): nested deeper than ${MAX_JSON_DEPTH} levels`)
  for (const one of Object.values(value)) checkParsed(one as Json, depth - 1)
}

const parseJson = (text: string): Json => {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return fail(`parse_json(): this text is not JSON: ${show(text)}`)
  }
  checkParsed(value, MAX_JSON_DEPTH)
  return value
}

const trueWords = ["1", "t", "true", "TRUE", "True"]

const falseWords = ["0", "f", "false", "FALSE", "False"]

const toBool = (value: Json): boolean =>
  typeof value === "boolean"
    ? value
    : trueWords.includes(value as string)
      ? true
      : falseWords.includes(value as string)
        ? false
        : fail(`${show(value)} is not true or false`)

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

export const valueFunctions = (): ReadonlyArray<ExpressionFunction> => [
  define("size(text | list | object) → int", {
    summary: "The number of characters, items or keys.",
    example: ["size([5, 6, 7])", 3],
    params: [union([string, listOf(any), mapOf(any)])],
    returns: int,
    instant: true,
    apply: (value: string | Array<Json> | object) =>
      typeof value === "string"
        ? codePoints(value)
        : Array.isArray(value)
          ? value.length
          : Object.keys(value).length,
  }),
  define("string(text | number | bool) → text", {
    summary: "The value as text.",
    example: ["string(1.5)", "1.5"],
    params: [scalars],
    returns: string,
    apply: (value: Json) => renderText(value),
  }),
  define("int(text | number) → int", {
    summary: "The value as a whole number; decimals are truncated.",
    example: ["int(3.9)", 3],
    params: [scalars],
    returns: int,
    apply: toInt,
  }),
  define("double(text | number) → number", {
    summary: "The value as a number.",
    example: ["double('1.5')", 1.5],
    params: [scalars],
    returns: number,
    apply: readNumber,
  }),
  define("to_number(text | number, fallback?: A) → number | A", {
    summary:
      "The value as a number, without the spaces around it; for any other text, the fallback.",
    example: ["to_number('n/a', 0)", 0],
    params: [union([string, number, { kind: "null" }]), any],
    optional: 1,
    returns: ([, fallback]) => (fallback ? union([number, fallback]) : number),
    apply: toNumber,
  }),
  define("bool(text | bool) → bool", {
    summary: '"true" or "false" as true or false.',
    example: ["bool('true')", true],
    params: [union([string, bool])],
    returns: bool,
    apply: toBool,
  }),
  define("dyn(A) → any", {
    summary: "The same value without type checking.",
    example: ["dyn(1) == 'a'", false],
    params: [any],
    returns: any,
    instant: true,
    apply: (value: Json) => value,
  }),
  define("json(A) → text", {
    summary: "The value as JSON text.",
    example: ["json({'a': [1]})", '{"a":[1]}'],
    params: [any],
    returns: string,
    apply: (value: Json) => JSON.stringify(value),
  }),
  define("parse_json(text) → any", {
    summary: "The value of a JSON text; fails with class `invalid_request` for another text.",
    example: ["parse_json('[1, 2]')", [1, 2]],
    params: [string],
    returns: any,
    apply: parseJson,
  }),
  define("round(number, digits?: int) → int | number", {
    summary: "The nearest whole number, or the nearest number with as many digits.",
    example: ["round(2.345, 2)", 2.35],
    params: [number, int],
    optional: 1,
    returns: ([, digits]) => (digits ? number : int),
    apply: roundTo,
  }),
  define("floor(number) → int", {
    summary: "The next whole number below.",
    example: ["floor(2.7)", 2],
    params: [number],
    returns: int,
    apply: (value: number) => Math.floor(value) + 0,
  }),
  define("ceil(number) → int", {
    summary: "The next whole number above.",
    example: ["ceil(2.1)", 3],
    params: [number],
    returns: int,
    apply: (value: number) => Math.ceil(value) + 0,
  }),
  define("abs(number) → number", {
    summary: "The absolute value.",
    example: ["abs(-2)", 2],
    params: [number],
    returns: ([type]) => type ?? number,
    apply: (value: number) => Math.abs(value),
  }),
]
