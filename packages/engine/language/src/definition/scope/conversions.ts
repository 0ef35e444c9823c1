/** Conversions of a value to the type that is wanted, as a help and as an edit. */
import type { Json } from "@planloom/plugin/effect"
import { hint } from "@planloom/expression/suggestion"
import { fits, typeOfValue, type Type } from "@planloom/expression/check"
import { scalarText } from "../../source/scalarText.ts"
import { nearValue, type Fix } from "../Fix.ts"

export const conversion = (given: Type, type: Type): string | undefined => {
  if (type.kind === "string" && !type.values) {
    if (given.kind === "list") return 'make it text: ….join(", "), bullets(…) or json(…)'
    if (given.kind === "object") return "make it text: json(…)"
    return given.kind === "union" ? undefined : "make it text: string(…)"
  }
  if (given.kind === "string" && type.kind === "int") return "make it a whole number: int(…)"
  if (given.kind === "string" && type.kind === "number") return "make it a number: to_number(…)"
  if (type.kind === "int" && given.kind === "number") return "make it whole: int(…) or round(…)"
  if (type.kind === "list" && fits(given, type.item)) return "make it a list: [ … ]"
  return undefined
}

export const literalHelp = (value: Json, type: Type): string | undefined => {
  if (type.kind === "string" && type.values && typeof value === "string") {
    return hint(value, type.values, "it is one of")
  }
  if (type.kind === "string" && (typeof value === "number" || typeof value === "boolean")) {
    return `quote it to make it text: "${value}"`
  }
  if (typeof value === "string" && /^(stages|inputs|iter|item)\.[\w.[\]]+$/.test(value)) {
    return `to read it as an expression, write "\${{ ${value} }}"`
  }
  if (type.kind === "list" && typeof value === "string") return `write a list: [${value}]`
  return undefined
}

/** A number or condition given for a text, as other tools turn it into one. */
export const converted = (value: string, given: Type, type: Type): Fix | undefined => {
  const [, source] = /^\$\{\{([^]*)\}\}$/.exec(value) ?? []
  const isText = type.kind === "string" && type.values === undefined
  const isPlain = given.kind === "int" || given.kind === "number" || given.kind === "bool"
  if (type.kind === "list" && given.kind !== "any" && fits(given, type.item)) {
    return { yaml: `[${JSON.stringify(value)}]` }
  }
  return source !== undefined && isText && isPlain && !source.includes("}}")
    ? { text: `\${{ string(${source.trim()}) }}`, from: 0, to: value.length }
    : undefined
}

export const literalFix = (value: Json, type: Type): Fix | undefined => {
  if (type.kind === "string" && type.values) return nearValue(value, type.values)
  if (type.kind === "string" && (typeof value === "number" || typeof value === "boolean")) {
    return { value: String(value) }
  }
  if (typeof value !== "string") return undefined
  if (type.kind === "list" && fits(typeOfValue(value), type.item)) {
    return { yaml: `[${scalarText(value, true)}]` }
  }
  const isNumber = type.kind === "number" || (type.kind === "int" && /^-?\d+$/.test(value))
  return isNumber && /^-?\d+(\.\d+)?$/.test(value) ? { value: Number(value) } : undefined
}
