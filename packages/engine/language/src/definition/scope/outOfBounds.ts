/** What a literal violates of its schema beyond the type, in the words of diagnostics. */
import type { Json } from "@planloom/plugin/effect"
import { linearPattern } from "@planloom/schema"
import { durationPattern } from "@planloom/plugin/duration"
import { describeJson } from "../Shape.ts"

/** Checked as the stage would; a well-known pattern is described by its name. */
export const outOfPattern = (value: Json, pattern: unknown): string | undefined => {
  if (typeof value !== "string" || typeof pattern !== "string") return undefined
  try {
    if (linearPattern(pattern).test(value)) return undefined
  } catch (error) {
    if (error instanceof TypeError) return `cannot be checked: ${error.message}`
    throw error
  }
  return pattern === durationPattern
    ? `is a duration such as 30s, 5m or 1h30m, found ${describeJson(value)}`
    : `must match ${pattern}, found ${describeJson(value)}`
}

/** Constraints of a literal's schema beyond its type. */
export const outOfBounds = (
  value: Json,
  schema: { readonly [keyword: string]: unknown },
): string | undefined => {
  const bound = (keyword: string): number | undefined =>
    typeof schema[keyword] === "number" ? schema[keyword] : undefined
  const size = typeof value === "string" ? [...value].length : undefined
  const checks: ReadonlyArray<readonly [number | undefined, string, string, 1 | -1, boolean]> = [
    [typeof value === "number" ? value : undefined, "minimum", "must be at least", 1, false],
    [typeof value === "number" ? value : undefined, "maximum", "must be at most", -1, false],
    [
      typeof value === "number" ? value : undefined,
      "exclusiveMinimum",
      "must be more than",
      1,
      true,
    ],
    [
      typeof value === "number" ? value : undefined,
      "exclusiveMaximum",
      "must be less than",
      -1,
      true,
    ],
    [size, "minLength", "has too few characters, at least", 1, false],
    [size, "maxLength", "has too many characters, at most", -1, false],
  ]
  for (const [given, keyword, words, sign, open] of checks) {
    const limit = bound(keyword)
    if (given === undefined || limit === undefined) continue
    const distance = (given - limit) * sign
    if (distance < 0 || (open && distance === 0))
      return `${words} ${limit}, found ${describeJson(typeof value === "string" ? value : given)}`
  }
  return undefined
}
