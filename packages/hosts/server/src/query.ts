/** Values of query parameters: times and limits. */
import { parseDuration } from "@planloom/plugin/duration"
import { Problem } from "./Problem.ts"

const refuse = (detail: string) => new Problem({ code: "invalid_input", detail })

/** Epoch milliseconds of a duration before now, or of a date. */
export const parseTime = (name: string, text: string, now: number): number | Problem => {
  const age = parseDuration(text)
  const at = age === undefined ? Date.parse(text) : now - age
  return Number.isNaN(at)
    ? refuse(`${name} must be a duration such as 90m, 12h, 30d or 8w, or a date, not "${text}"`)
    : at
}

export const parseLimit = (text: string): number | Problem =>
  /^[1-9]\d{0,5}$/.test(text) ? Number(text) : refuse("limit must be a number of at least 1")
