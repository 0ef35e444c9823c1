/** Extractive output without a model: key sentences, lists of fields, objects filled from fields. */
import { checkValue, isObject } from "@planloom/planning"
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import { formatValue } from "@planloom/stage-kit"

/** Maximum number of sentences of a summary. */
const SUMMARY_SENTENCES = 5
/** Nesting depth and number of lines of a list of facts. */
const MAX_DEPTH = 3
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

const lines = (value: Json, depth: number): ReadonlyArray<string> => {
  const indent = "  ".repeat(depth)
  const entries: ReadonlyArray<readonly [string, Json]> = Array.isArray(value)
    ? value.map((item: Json) => ["", item] as const)
    : isObject(value)
      ? Object.entries(value)
      : []
  return entries.flatMap(([key, item]) => {
    const head = key === "" ? `${indent}-` : `${indent}- ${label(key)}:`
    if (item === null || typeof item !== "object") return [`${head} ${formatValue(item)}`]
    return depth >= MAX_DEPTH ? [] : [head, ...lines(item, depth + 1)]
  })
}

/** A text's key sentences, or data as a list; empty without content. */
export const listFacts = (context: Json, task: string): string => {
  if (typeof context === "string") return keySentences(context, task)
  if (context === null) return ""
  if (typeof context !== "object") return formatValue(context)
  const all = lines(context, 0)
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
