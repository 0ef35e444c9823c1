/** Parses the arguments of a tool call, which services send as text. */
import { isJsonObject, type Json, type JsonObject, type ToolCall } from "@planloom/plugin/effect"
import { isTooDeep, repeatsNames, TOO_DEEP } from "@planloom/schema"

/** The arguments object; `{}` for empty text (some models omit empty arguments), undefined unless a JSON object without duplicate names. */
export const parseToolArguments = (text: string): JsonObject | undefined => {
  if (text.trim() === "") return {}
  try {
    const value = JSON.parse(text) as Json
    // All but the last member of a name would be lost.
    return isJsonObject(value) && !isTooDeep(value) && !repeatsNames(text, value)
      ? value
      : undefined
  } catch {
    return undefined
  }
}

/** Arguments that a service may send as JSON instead, as text; some models omit empty ones. */
export const argumentsText = (given: unknown): string => {
  if (typeof given === "string") return given
  if (given === undefined) return ""
  return isTooDeep(given) ? `JSON that ${TOO_DEEP}` : JSON.stringify(given)
}

/** The call of a model that wrote its arguments as this text. */
export const toolCallOf = (id: string, name: string, text: string): ToolCall => {
  const given = parseToolArguments(text)
  return given === undefined
    ? { id, name, arguments: {}, written: text }
    : { id, name, arguments: given }
}
