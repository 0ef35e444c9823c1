/** Result types of the operators. */
import type { BinaryOperator } from "../syntax/Node.ts"
import { any, bool, canEqual, int, listOf, membersOf, number, string, union } from "./Type.ts"
import type { Type } from "./Type.ts"

const isNumber = (type: Type): boolean => type.kind === "int" || type.kind === "number"
const isOpen = (type: Type): boolean => type.kind === "any" || type.kind === "never"

/** The type of `left operator right`, or the first pair of member types that the operator does not support. */
export const binaryType = (
  operator: BinaryOperator,
  left: Type,
  right: Type,
): { readonly type: Type } | { readonly left: Type; readonly right: Type } => {
  const results: Array<Type> = []
  for (const a of membersOf(left)) {
    for (const b of membersOf(right)) {
      const type = single(operator, a, b)
      if (!type) return { left: a, right: b }
      results.push(type)
    }
  }
  return { type: union(results) }
}

const single = (operator: BinaryOperator, a: Type, b: Type): Type | undefined => {
  switch (operator) {
    case "==":
    case "!=":
      return bool
    case "&&":
    case "||":
      return isTruth(a) && isTruth(b) ? bool : undefined
    case "in":
      return membership(a, b)
    case "+":
      return sum(a, b)
    case "-":
    case "*":
    case "%":
      return numeric(a, b, operator)
    case "/":
      return numeric(a, b, operator) && number
    default:
      return comparable(a, b) ? bool : undefined
  }
}

const isTruth = (type: Type): boolean => type.kind === "bool" || isOpen(type)

const membership = (item: Type, holder: Type): Type | undefined => {
  if (isOpen(holder)) return bool
  if (holder.kind === "list") {
    return canEqual(item, widen(holder.item)) ? bool : undefined
  }
  return holder.kind === "object" && (item.kind === "string" || isOpen(item)) ? bool : undefined
}

/** Drops the literal values of text types; another check reports impossible values. */
export const widen = (type: Type): Type =>
  type.kind === "string" ? string : type.kind === "union" ? union(type.members.map(widen)) : type

const sum = (a: Type, b: Type): Type | undefined => {
  if (isNumber(a) && isNumber(b)) return a.kind === "int" && b.kind === "int" ? int : number
  if (a.kind === "string" && b.kind === "string") return string
  if (a.kind === "list" && b.kind === "list") return listOf(union([a.item, b.item]))
  const addable = (type: Type): boolean =>
    isNumber(type) || type.kind === "string" || type.kind === "list"
  if (isOpen(a) && isOpen(b)) return any
  if (isOpen(a) && addable(b)) return b.kind === "list" ? listOf(any) : widen(b)
  if (isOpen(b) && addable(a)) return a.kind === "list" ? listOf(any) : widen(a)
  return undefined
}

const numeric = (a: Type, b: Type, _operator: string): Type | undefined => {
  if (!(isNumber(a) || isOpen(a)) || !(isNumber(b) || isOpen(b))) return undefined
  return a.kind === "int" && b.kind === "int" ? int : number
}

const comparable = (a: Type, b: Type): boolean => {
  if (isOpen(a)) return isOpen(b) || isNumber(b) || b.kind === "string" || b.kind === "bool"
  if (isOpen(b)) return comparable(b, a)
  if (isNumber(a) && isNumber(b)) return true
  return a.kind === b.kind && (a.kind === "string" || a.kind === "bool")
}
