/** Parses the arguments of a tool call, which services send as text. */
import type { Json, JsonObject } from "@planloom/plugin"

/** The arguments object; `{}` for empty text (some models omit empty arguments), undefined unless a JSON object. */
export const parseToolArguments = (text: string): JsonObject | undefined => {
  if (text.trim() === "") return {}
  try {
    const value = JSON.parse(text) as Json
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined
  } catch {
    return undefined
  }
}
