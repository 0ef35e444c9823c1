/** Operators on plain values. Numbers are JSON numbers: `7 / 2` is 3.5. */
import type { Json } from "@planloom/plugin/effect"
import { equal, ExpressionFailed } from "./functions.ts"
import type { Binary } from "../syntax/Node.ts"

const fail = (message: string): never => {
  throw new ExpressionFailed(message)
}

export const truth = (value: Json, operator: string): boolean =>
  typeof value === "boolean" ? value : fail(`${operator} needs true or false, found ${kind(value)}`)

export const numeric = (value: Json, operator: string): number =>
  typeof value === "number" ? value : fail(`${operator} needs numbers, found ${kind(value)}`)

export const kind = (value: Json): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "a list"
      : typeof value === "string"
        ? "text"
        : typeof value

/** Fails unless JSON can represent the number without losing digits. */
const safe = (value: number): number => {
  if (!Number.isFinite(value)) return fail("the result is not a finite number")
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return fail("the result is beyond ±2^53 and would lose digits")
  }
  // JSON has no minus zero.
  return value + 0
}

export const contains = (value: Json, holder: Json): boolean => {
  if (Array.isArray(holder)) return holder.some((item: Json) => equal(item, value))
  if (holder !== null && typeof holder === "object") {
    return typeof value === "string" && Object.hasOwn(holder, value)
  }
  return fail(`"in" needs a list or an object on its right, found ${kind(holder)}`)
}

export const add = (left: Json, right: Json): Json => {
  if (typeof left === "number" && typeof right === "number") return safe(left + right)
  if (typeof left === "string" && typeof right === "string") return left + right
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right]
  return fail(`"+" cannot add ${kind(left)} and ${kind(right)}`)
}

const compare = (left: Json, right: Json, operator: string): number => {
  if (typeof left === "number" && typeof right === "number") return left - right
  if (typeof left === "string" && typeof right === "string") {
    return left < right ? -1 : left > right ? 1 : 0
  }
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right)
  return fail(`"${operator}" cannot compare ${kind(left)} and ${kind(right)}`)
}

const divisor = (value: number): number => (value === 0 ? fail("division by zero") : value)

export const arithmetic: {
  readonly [operator: string]: (left: Json, right: Json) => Json
} & {
  readonly [K in Exclude<Binary["operator"], "&&" | "||" | "==" | "!=" | "in" | "+">]: (
    left: Json,
    right: Json,
  ) => Json
} = {
  "-": (left, right) => safe(numeric(left, '"-"') - numeric(right, '"-"')),
  "*": (left, right) => safe(numeric(left, '"*"') * numeric(right, '"*"')),
  "/": (left, right) => safe(numeric(left, '"/"') / divisor(numeric(right, '"/"'))),
  "%": (left, right) => safe(numeric(left, '"%"') % divisor(numeric(right, '"%"'))),
  "<": (left, right) => compare(left, right, "<") < 0,
  "<=": (left, right) => compare(left, right, "<=") <= 0,
  ">": (left, right) => compare(left, right, ">") > 0,
  ">=": (left, right) => compare(left, right, ">=") >= 0,
}
