/** One line on the result of a tool call, however large the result is. */
import type { Json } from "@planloom/plugin"

/** Characters. */
const LONGEST_SUMMARY = 200

export const summaryOf = (result: Json): string => {
  if (Array.isArray(result)) return `${result.length} ${result.length === 1 ? "entry" : "entries"}`
  if (typeof result === "object" && result !== null)
    return shortened(Object.keys(result).join(", "))
  return shortened(String(result))
}

const shortened = (text: string): string => {
  const line = text.slice(0, LONGEST_SUMMARY + 1).replace(/\s+/g, " ")
  return line.length > LONGEST_SUMMARY ? `${line.slice(0, LONGEST_SUMMARY - 1)}…` : line
}
