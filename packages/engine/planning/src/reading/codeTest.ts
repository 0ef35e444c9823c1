/** The texts that a param of codes takes: those of its pattern, of its format, or of the shape of its examples. */
import { linearPattern } from "@planloom/schema"
import { shapeOf } from "./shapeOf.ts"

type Schema = { readonly [keyword: string]: unknown }

export type CodeTest = (text: string) => boolean

const UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"

/** Whether a text cannot be prose: it has a digit, or capitals on both sides of a mark. */
export const isCodeLike = (text: string): boolean =>
  /\p{N}/u.test(text) || /^\p{Lu}+(?:[-_/.]\p{Lu}+)+$/u.test(text)

/** Whether a text of digits may be a number, a date or a time. */
export const isQuantity = (text: string): boolean => /^\d{1,4}(?:[-./:]\d{1,4}){0,2}$/.test(text)

/** The alternatives of a pattern outside of its groups and classes. */
const alternativesOf = (pattern: string): ReadonlyArray<string> => {
  const parts = [""]
  let depth = 0
  for (const [piece] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[^]/gsu)) {
    if (piece === "(") depth++
    if (piece === ")") depth--
    if (piece === "|" && depth === 0) parts.push("")
    else parts.push(`${parts.pop()!}${piece}`)
  }
  return parts
}

/** Whether a pattern is one of a whole text, not of a part of it. */
const isWhole = (pattern: string): boolean =>
  alternativesOf(pattern).every((one) => /^\^.*(?<!\\)(?:\\\\)*\$$/s.test(one))

/** Of examples, unless one of them may be prose, a number or a time. */
const shapesOf = (examples: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const shapes = examples.map((one) =>
    typeof one === "string" && isCodeLike(one) && !isQuantity(one) ? shapeOf(one) : undefined,
  )
  return shapes.every((shape) => shape !== undefined) ? [...new Set(shapes)] : []
}

const patternsOf = ({ examples, format, pattern, role }: Schema): ReadonlyArray<string> => {
  if (typeof pattern === "string") return isWhole(pattern) ? [pattern] : []
  if (format !== undefined) return format === "uuid" ? [UUID] : []
  return Array.isArray(examples) && role === undefined ? shapesOf(examples) : []
}

const matches = (pattern: string, text: string): boolean => {
  try {
    return linearPattern(pattern).test(text)
  } catch {
    // A schema with a pattern that is not supported is refused at the call.
    return false
  }
}

/** Undefined for a schema that does not describe codes. */
export const codeTest = (schema: Schema): CodeTest | undefined => {
  const patterns = patternsOf(schema)
  if (patterns.length === 0) return undefined
  const { maxLength = Infinity, minLength = 0 } = schema
  return (text) => {
    const { length } = [...text]
    return (
      length >= Number(minLength) &&
      length <= Number(maxLength) &&
      patterns.some((pattern) => matches(pattern, text))
    )
  }
}
