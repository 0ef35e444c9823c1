/** Parses the arguments of a tool call, which services send as text. */
import { isJsonObject, type JsonObject } from "@planloom/plugin/effect"

/** The arguments object; `{}` for empty text (some models omit empty arguments), undefined unless a JSON object. */
export const parseToolArguments = (text: string): JsonObject | undefined => {
  if (text.trim() === "") return {}
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
