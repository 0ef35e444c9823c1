/** Short forms of the params and results of tool calls, however large they are. */
import type { Json, JsonObject } from "@planloom/plugin/effect"

const MAX_SUMMARY_CHARACTERS = 200
const MAX_PARAMS_CHARACTERS = 2000
const MAX_PARAMS = 50

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
  return line.length > MAX_SUMMARY_CHARACTERS
    ? `${line.slice(0, MAX_SUMMARY_CHARACTERS - 1)}…`
    : line
}

/** The params themselves, or a summary of each of them if they are long. */
export const boundedParams = (params: JsonObject): JsonObject =>
  JSON.stringify(params).length <= MAX_PARAMS_CHARACTERS
    ? params
    : Object.fromEntries(
        Object.entries(params)
          .slice(0, MAX_PARAMS)
          .map(([name, value]) => [oneLine(name), summaryOf(value)]),
      )
