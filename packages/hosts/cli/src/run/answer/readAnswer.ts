/** Converts typed text to the answer of a run's question, and describes what to type. */
import type { Json, JsonSchema, Wait } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import { describeType, typesIn } from "../schemaText.ts"

/** Returns whether the answer's schema is `{ approved, comment? }`. */
export const isYesOrNo = (schema: JsonSchema): boolean => {
  if (typeof schema === "boolean") return false
  const properties = schema["properties"] as { readonly [name: string]: JsonSchema } | undefined
  const required = (schema["required"] ?? []) as ReadonlyArray<string>
  return properties?.["approved"] !== undefined && required.every((name) => name === "approved")
}

/** Describes what to type, for the prompt. */
export const answerSyntax = ({ options, schema }: Wait): string => {
  if (isYesOrNo(schema)) return "yes, or no with a reason [empty: later]"
  if (options !== undefined && options.length > 0) {
    return `1–${options.length}, or ${describeType(schema)} [empty: later]`
  }
  return `${describeType(schema)} [empty: later]`
}

export type ReadAnswer =
  | { readonly value: Json; readonly mismatch?: undefined }
  | { readonly mismatch: string }

/** Reads an answer from trimmed, non-empty text. A number selects an option. */
export const readAnswer = async (wait: Wait, text: string): Promise<ReadAnswer> => {
  const value = await valueOf(wait, text)
  if ((typeof value !== "object" || value === null) && isYesOrNo(wait.schema))
    return { mismatch: "type yes, or no with a reason" }
  const { answerMismatch } = await import("@planloom/core/internal")
  const mismatch = await Effect.runPromise(answerMismatch(wait.schema, value))
  return mismatch === undefined ? { value } : { mismatch }
}

/** Converts a number to an option, and JSON to a value if the schema accepts more than text. */
const valueOf = async ({ options, schema }: Wait, text: string): Promise<Json> => {
  if (isYesOrNo(schema)) return (await typedWords()).approvalIn(text) ?? parsed(text)
  const option = /^\d+$/.test(text) ? options?.[Number(text) - 1] : undefined
  if (option !== undefined) return option
  const types = typesIn(schema)
  if (types.has("string") && types.size === 1) return text
  const said = types.has("boolean") ? (await typedWords()).yesOrNo(text) : undefined
  if (said !== undefined) return said
  return parsed(text)
}

/** Loaded with the first question that they can answer. */
const typedWords = () => import("../yesOrNo.ts")

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
