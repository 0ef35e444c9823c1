/** Parses the arguments of a tool call, which services send as text. */
import { isJsonObject, type Json, type JsonObject, type ToolCall } from "@planloom/plugin/effect"
import { repeatsNames } from "@planloom/schema"

/** The arguments object; `{}` for empty text (some models omit empty arguments), undefined unless a JSON object without duplicate names. */
export const parseToolArguments = (text: string): JsonObject | undefined => {
  if (text.trim() === "") return {}
  try {
    const value = JSON.parse(text) as Json
    // All but the last member of a name would be lost.
    return isJsonObject(value) && !repeatsNames(text, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The call of a model that wrote its arguments as this text. */
export const toolCallOf = (id: string, name: string, text: string): ToolCall => {
  const given = parseToolArguments(text)
  return given === undefined
    ? { id, name, arguments: {}, written: text }
    : { id, name, arguments: given }
}
