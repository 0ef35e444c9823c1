/** Extractive output without a model: key sentences, lists of fields, objects filled from fields. */
import { checkValue, isObject } from "@planloom/planning"
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"
import { formatValue } from "@planloom/stage-kit"

/** Maximum number of sentences of a summary. */
const SUMMARY_SENTENCES = 5
/** Levels in which a field is looked for. */
const MAX_DEPTH = 3
/** Lines of a list of facts. */
const MAX_LINES = 40

const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 3)

/**
 * The most informative sentences, in their original order: those with the most words of the task first, then
 * by the mean of their words' counts in the whole text (Luhn 1958).
 */
const keySentences = (text: string, task: string): string => {
  const sentences = text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence.trim() !== "")
  if (sentences.length <= SUMMARY_SENTENCES) return text.trim()
  const counts = new Map<string, number>()
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const wanted = new Set(wordsOf(task))
  const scored = sentences.map((sentence, at) => {
    const words = wordsOf(sentence)
    const sum = words.reduce((total, word) => total + (counts.get(word) ?? 0), 0)
    return {
      sentence,
      at,
      asked: new Set(words.filter((word) => wanted.has(word))).size,
      weight: words.length === 0 ? 0 : sum / words.length,
    }
  })
  return scored
    .toSorted(
      (left, right) => right.asked - left.asked || right.weight - left.weight || left.at - right.at,
    )
    .slice(0, SUMMARY_SENTENCES)
    .toSorted((left, right) => left.at - right.at)
    .map(({ sentence }) => sentence.trim())
    .join(" ")
}

const label = (key: string): string => key.replaceAll("_", " ")

const isScalar = (value: Json): boolean => value === null || typeof value !== "object"

/** `name: Ada, tags: new, late`; undefined for data below that. */
const inOneLine = (value: Json): string | undefined => {
  if (isScalar(value)) return formatValue(value)
  if (Array.isArray(value)) {
    const items = value as ReadonlyArray<Json>
    return items.every(isScalar) ? items.map(formatValue).join(", ") : undefined
  }
  const parts = Object.entries(value as JsonObject).map(([key, item]) => {
    const text = isObject(item) ? undefined : inOneLine(item)
    return text === undefined ? undefined : `${label(key)}: ${text}`
  })
  return parts.includes(undefined) ? undefined : parts.join(", ")
}

/** The text that an output of a stage holds, and nothing beside it but its confidence. */
const onlyText = (value: Json): string | undefined => {
  if (typeof value === "string") return value
  if (!isObject(value)) return undefined
  const { confidence: _, ...rest } = value
  const [text, ...others] = Object.values(rest)
  return typeof text === "string" && others.length === 0 ? text : undefined
}

/** One fact a line; undefined for data that no line can hold. */
const factsIn = (value: Json): ReadonlyArray<string> | undefined => {
  const facts = Array.isArray(value)
    ? (value as ReadonlyArray<Json>).map(inOneLine)
    : Object.entries(value as JsonObject).map(([key, item]) => {
        const text = inOneLine(item)
        return text === undefined ? undefined : `${label(key)}: ${text}`
      })
  return facts.includes(undefined) ? undefined : facts.map((fact) => `- ${fact!}`)
}

/** The key sentences of a text or of a list of texts, or data as facts; empty without content, or if it is nested. */
export const listFacts = (context: Json, task: string): string => {
  if (typeof context === "string") return keySentences(context, task)
  if (context === null) return ""
  if (typeof context !== "object") return formatValue(context)
  const texts = Array.isArray(context) ? (context as ReadonlyArray<Json>).map(onlyText) : []
  if (texts.length > 0 && !texts.includes(undefined)) return keySentences(texts.join("\n"), task)
  const all = factsIn(context) ?? []
  return all.length > MAX_LINES ? [...all.slice(0, MAX_LINES), "- …"].join("\n") : all.join("\n")
}

/** The value of this name nearest to the top of the context. */
const findField = (name: string, context: Json): Json | undefined => {
  let level: ReadonlyArray<Json> = [context]
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    for (const value of level) {
      if (isObject(value) && Object.hasOwn(value, name)) return value[name]
    }
    level = level.flatMap((value) => (isObject(value) ? Object.values(value) : []))
  }
  return undefined
}

/** An object of the schema from fields of the same names in the context, or their defaults; undefined if one is missing. */
export const fillShape = (schema: JsonSchema, context: Json): Json | undefined => {
  if (checkValue(schema, context).length === 0 && context !== null) return context
  const { properties } = isObject(schema) ? schema : {}
  if (!isObject(properties)) return undefined
  const filled = Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const value = findField(name, context)
      const fits = value !== undefined && checkValue(property as JsonSchema, value).length === 0
      if (fits) return [[name, value] as const]
      return isObject(property) && Object.hasOwn(property, "default")
        ? [[name, property["default"] as Json] as const]
        : []
    }),
  )
  return checkValue(schema, filled).length === 0 ? filled : undefined
}
