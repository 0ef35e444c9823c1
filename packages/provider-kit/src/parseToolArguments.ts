/** Parses the arguments of a tool call, which services send as text. */
import { isJsonObject, type Json, type JsonObject } from "@planloom/plugin/effect"
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
