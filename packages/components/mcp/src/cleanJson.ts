/** Data of servers with clean texts. Most have none to clean, and stay the same values. */
import { isObject, MAX_JSON_DEPTH, TOO_DEEP, type Json } from "@planloom/schema"
import { cleanText } from "@planloom/plugin/clean"
import { McpFailed } from "./McpFailed.ts"

/** `hide` removes secrets. Throws a `McpFailed` for data that is nested without end. */
export const cleanJson = (value: Json, hide: (text: string) => string, depth = 0): Json => {
  if (typeof value === "string") return hide(cleanText(value))
  if (typeof value !== "object" || value === null) return value
  if (depth === MAX_JSON_DEPTH) {
    throw new McpFailed("invalid_output", `the server sent data that ${TOO_DEEP}`)
  }
  if (Array.isArray(value)) return value.map((one: Json) => cleanJson(one, hide, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [hide(key), cleanJson(one, hide, depth + 1)]),
  )
}
