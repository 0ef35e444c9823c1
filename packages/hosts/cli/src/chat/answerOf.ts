/** Converts typed text into an answer that matches a question's schema. */
import type { Json, JsonSchema, Wait } from "@planloom/plugin/effect"
import { describeType, typesIn } from "../run/schemaText.ts"
import { approvalIn, yesOrNo } from "../run/yesOrNo.ts"

/** The answer, or a short reason why the text is not one. */
export type Read = { readonly value: Json } | { readonly problem: string }

export const answerOf = (wait: Wait, typed: string): Read => {
  const text = typed.trim()
  if (wait.kind === "approval" && asksYesOrNo(wait.schema)) return approvalOf(text)
  const count = wait.options?.length ?? 0
  if (count > 0 && /^\d+$/.test(text) && !(Number(text) >= 1 && Number(text) <= count)) {
    return { problem: `there are ${count} to choose from` }
  }
  const option = optionOf(wait, text)
  return option === undefined ? converted(text, wait.schema) : { value: option }
}

/** The schema of a plain approval: `{ approved, comment? }`. */
const asksYesOrNo = (schema: JsonSchema): boolean =>
  typeof schema === "object" && Object.hasOwn((schema["properties"] ?? {}) as object, "approved")

/** An empty answer is a no, as the prompt says. */
const approvalOf = (text: string): Read => {
  const value = text === "" ? { approved: false } : approvalIn(text)
  return value === undefined ? { problem: "please answer yes or no" } : { value }
}

/** Finds an option by its number in the list, or by its text. */
const optionOf = ({ options = [] }: Wait, text: string): Json | undefined => {
  const byWords = options.find(
    (option) => typeof option === "string" && option.toLowerCase() === text.toLowerCase(),
  )
  if (byWords !== undefined) return byWords
  return /^\d+$/.test(text) ? options[Number(text) - 1] : undefined
}

const converted = (text: string, schema: JsonSchema): Read => {
  const types = typesIn(schema)
  if (types.size === 0 || types.has("string")) return { value: text }
  const said = types.has("boolean") ? yesOrNo(text) : undefined
  if (said !== undefined) return { value: said }
  const isNumber = text !== "" && Number.isFinite(Number(text))
  if (
    isNumber &&
    (types.has("number") || (types.has("integer") && Number.isInteger(Number(text))))
  ) {
    return { value: Number(text) }
  }
  if (types.has("array") || types.has("object")) {
    const json = jsonOf(text)
    if (typeof json === "object" && json !== null) return { value: json }
  }
  return { problem: `expected ${describeType(schema)}` }
}

const jsonOf = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
