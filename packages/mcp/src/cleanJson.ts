/** Data of servers with clean texts. Most have none to clean, and stay the same values. */
import { isObject, type Json } from "@planloom/schema"
import { cleanText } from "@planloom/plugin/clean"

/** `hide` removes secrets. */
export const cleanJson = (value: Json, hide: (text: string) => string): Json => {
  if (typeof value === "string") return hide(cleanText(value))
  if (Array.isArray(value)) return value.map((one: Json) => cleanJson(one, hide))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [hide(key), cleanJson(one, hide)]),
  )
}
