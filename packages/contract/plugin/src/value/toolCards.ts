/** Tools as a prompt names them: whole where there is room, else with short summaries and params. */
import { estimateTokens } from "../facts/estimateTokens.ts"
import type { JsonSchema } from "./Json.ts"

export { meansTool } from "./toolPattern.ts"

/** The parts of a tool that a card shows. */
export interface CardTool {
  readonly name: string
  readonly summary: string
  readonly when_to_use?: string
  readonly params: JsonSchema
}

/** Forms of a card, longest first: the most characters of the summary, and how much of each param. */
const forms = [
  { characters: Infinity, params: "described" },
  { characters: 100, params: "typed" },
  { characters: 100, params: "named" },
  { characters: 60, params: "none" },
  { characters: 30, params: "none" },
  { characters: 0, params: "none" },
] as const

type Form = (typeof forms)[number]

/**
 * One line for each tool, in the order of names, all of the longest form of which the whole has at most so many tokens, as
 * they are estimated. Of more tools than have room by their names alone, the first ones, and how many are missing.
 */
export const toolCards = (given: ReadonlyArray<CardTool>, maxTokens: number): string => {
  const tools = given.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  let lines: ReadonlyArray<string> = []
  for (const form of forms) {
    lines = tools.map((tool) => card(tool, form))
    const text = lines.join("\n")
    if (estimateTokens(text) <= maxTokens) return text
  }
  let fits = 0
  let tooMany = lines.length
  const cut = (count: number) =>
    [...lines.slice(0, count), `- ${lines.length - count} more`].join("\n")
  while (fits + 1 < tooMany) {
    const count = (fits + tooMany) >> 1
    if (estimateTokens(cut(count)) <= maxTokens) fits = count
    else tooMany = count
  }
  return fits === 0 ? "" : cut(fits)
}

const card = ({ name, params, summary, when_to_use: when }: CardTool, form: Form): string => {
  const isWhole = form.characters === Infinity
  const text = shortened(
    isWhole && when !== undefined ? `${summary} ${when}` : summary,
    form.characters,
  )
  return `- ${name}${paramsText(params, form.params)}${text === "" ? "" : `: ${text}`}`
}

/** Params in parentheses; `*` marks those that are required. */
const paramsText = (schema: JsonSchema, form: Form["params"]): string => {
  if (form === "none") return ""
  const shown = Object.entries(propertiesIn(schema)).map(([name, property]) => {
    if (form === "named") return name
    const { description } = property
    const typed = `${name}${isRequired(schema, name) ? "*" : ""}: ${typeText(property)}`
    return form === "described" && typeof description === "string"
      ? `${typed} (${shortened(description, Infinity)})`
      : typed
  })
  return `(${shown.join(", ")})`
}

type Property = { readonly [keyword: string]: unknown }

const propertiesIn = (schema: JsonSchema): { readonly [name: string]: Property } => {
  const properties = typeof schema === "object" ? schema["properties"] : undefined
  if (typeof properties !== "object" || properties === null) return {}
  return Object.fromEntries(
    Object.entries(properties as { readonly [name: string]: unknown }).map(([name, property]) => [
      name,
      typeof property === "object" && property !== null ? (property as Property) : {},
    ]),
  )
}

const isRequired = (schema: JsonSchema, name: string): boolean => {
  const required = typeof schema === "object" ? schema["required"] : undefined
  return Array.isArray(required) && required.includes(name)
}

/** `text[]`, `a|b|c`. */
export const typeText = (schema: Property): string => {
  if (Array.isArray(schema["enum"])) return schema["enum"].map(String).join("|")
  const { items, type = "any" } = schema
  const name = Array.isArray(type) ? type.join("|") : String(type)
  if (name !== "array") return name
  const inner =
    typeof items === "object" && items !== null ? (items as Property)["type"] : undefined
  return `${Array.isArray(inner) ? inner.join("|") : String(inner ?? "any")}[]`
}

/** On one line, and cut at a word. */
export const shortened = (text: string, characters: number): string => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  if (line.length <= characters) return line
  const start = line.slice(0, characters)
  const end = start.lastIndexOf(" ")
  return characters === 0 ? "" : `${end > characters / 2 ? start.slice(0, end) : start}…`
}
