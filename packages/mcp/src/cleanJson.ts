/** Data of servers with clean texts. Most have none to clean, and stay the same values. */
import { isObject, type Json } from "@planloom/schema"
import { cleanText } from "@planloom/plugin/clean"
import { McpFailed } from "./McpFailed.ts"

/** Deeper data ends the stack of those that read it. */
const MAX_DEPTH = 500

/** `hide` removes secrets. Throws a `McpFailed` for data that is nested without end. */
export const cleanJson = (value: Json, hide: (text: string) => string, depth = 0): Json => {
  if (typeof value === "string") return hide(cleanText(value))
  if (typeof value !== "object" || value === null) return value
  if (depth === MAX_DEPTH) {
    throw new McpFailed(
      "too_large",
      `the server sent data that is nested more than ${MAX_DEPTH} times`,
    )
  }
  if (Array.isArray(value)) return value.map((one: Json) => cleanJson(one, hide, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [hide(key), cleanJson(one, hide, depth + 1)]),
  )
}
