/** Short forms of the params and results of tool calls, however large they are. */
import type { Json, JsonObject } from "@planloom/plugin/effect"

const MAX_SUMMARY_CHARACTERS = 200
const MAX_PARAMS_CHARACTERS = 2000
const MAX_PARAMS = 50

/** Characters of JSON around values. */
const QUOTES = 2
const BRACES = 2
const COMMA = 1
const COLON_AND_COMMA = 2

/** One line on a result. */
export const summaryOf = (result: Json): string => {
  if (Array.isArray(result)) return `${result.length} ${result.length === 1 ? "entry" : "entries"}`
  if (typeof result === "object" && result !== null) return oneLine(Object.keys(result).join(", "))
  return typeof result === "string" ? oneLine(result) : String(result)
}

export const oneLine = (text: string): string => {
  const line = text
    .slice(0, MAX_SUMMARY_CHARACTERS + 1)
    .replace(/\s+/g, " ")
    .trim()
  return line.length > MAX_SUMMARY_CHARACTERS || text.length > MAX_SUMMARY_CHARACTERS + 1
    ? `${line.slice(0, MAX_SUMMARY_CHARACTERS - 1)}…`
    : line
}

/** The params themselves, or a summary of each of them if they are long. */
export const boundedParams = (params: JsonObject): JsonObject =>
  roomAfter(params, MAX_PARAMS_CHARACTERS) >= 0
    ? params
    : Object.fromEntries(
        Object.entries(params)
          .slice(0, MAX_PARAMS)
          .map(([name, value]) => [oneLine(name), summaryOf(value)]),
      )

/** Whether the JSON of a value has more characters, without making it. */
export const isLargerThan = (value: Json, characters: number): boolean =>
  roomAfter(value, characters) < 0

/** How many of so many characters the JSON of a value leaves; negative as soon as it needs more. */
const roomAfter = (value: Json, characters: number): number => {
  if (typeof value === "string") return characters - value.length - QUOTES
  if (typeof value !== "object" || value === null) return characters - String(value).length
  let room = characters - BRACES
  if (Array.isArray(value)) {
    for (const inner of value as ReadonlyArray<Json>) {
      room = roomAfter(inner, room - COMMA)
      if (room < 0) break
    }
    return room
  }
  const members = value as JsonObject
  for (const key in members) {
    room = roomAfter(members[key]!, room - key.length - QUOTES - COLON_AND_COMMA)
    if (room < 0) break
  }
  return room
}
