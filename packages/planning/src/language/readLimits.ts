/** How many, from which end: "top 5", "the three worst", "highest". */
import { words } from "./Reading.ts"
import type { Reading } from "./Reading.ts"

const numbers: { readonly [word: string]: number } = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  fifty: 50,
  hundred: 100,
}

const most = words(
  "top",
  "best",
  "highest",
  "largest",
  "biggest",
  "greatest",
  "most",
  "leading",
  "strongest",
  "first",
  "best performing",
  "best selling",
  "top selling",
  "top performing",
  "most expensive",
  "most profitable",
  "most successful",
  "most popular",
)
const least = words(
  "bottom",
  "worst",
  "lowest",
  "smallest",
  "least",
  "weakest",
  "fewest",
  "last",
  "poorest",
  "worst performing",
  "worst selling",
  "least profitable",
  "least popular",
  "cheapest",
)
const asking = words("which", "what", "who", "whose")
const timeUnits = words("hour", "day", "week", "month", "quarter", "year")

const numberAt = (reading: Reading, at: number): number | undefined => {
  const token = reading.tokens[at]
  const value = token?.kind === "number" ? token.value : numbers[token?.word ?? ""]
  // Years and fractions count nothing.
  return value !== undefined && Number.isInteger(value) && value > 0 && value < 1000
    ? value
    : undefined
}

const limit = (reading: Reading, n: number, order: "desc" | "asc", start: number, end: number) => {
  reading.take(start, end)
  reading.analysis.add("ranking")
  reading.constraints.push({ kind: "top_n", n, order })
}

/** "the highest revenue" is a maximum; "which region has the highest revenue" asks for a region. */
const superlative = (reading: Reading, at: number, length: number, order: "desc" | "asc") => {
  const word = reading.stem(at)
  if (word === "first" || word === "last" || word === "leading") return
  const asked = reading.tokens.some((_, place) => reading.phrase(place, asking) !== undefined)
  const next = reading.mention(at + length)
  const group = next !== undefined && next.columns.every(({ type }) => type === "string")
  const single = word !== "most" && word !== "least" && word !== "top" && word !== "bottom"
  if (asked || group || !single || length > 1) {
    // "at most" and "most of" rank nothing.
    const idle = reading.stem(at - 1) === "at" || reading.stem(at + 1) === "of"
    if (idle || (!asked && !group && (word === "most" || word === "least"))) return
    reading.take(at, at + length)
    reading.analysis.add("ranking")
    if (order === "asc") reading.constraints.push({ kind: "top_n", n: 1, order })
    return
  }
  reading.take(at, at + length)
  reading.analysis.add(order === "desc" ? "maximum" : "minimum")
}

export const readLimits = (reading: Reading): void => {
  const { tokens } = reading
  for (let at = 0; at < tokens.length; at++) {
    for (const [book, order] of [
      [most, "desc"],
      [least, "asc"],
    ] as const) {
      const match = reading.phrase(at, book)
      if (match === undefined) continue
      const after = at + match.length
      const counted = numberAt(reading, after)
      const before = numberAt(reading, at - 1)
      // "last 3 months" is a time.
      const timed = reading.phrase(after + (counted === undefined ? 0 : 1), timeUnits) !== undefined
      const ranks = match.length > 1 || !["first", "last"].includes(reading.stem(at))
      if (timed && !ranks) continue
      if (counted !== undefined) limit(reading, counted, order, at, after + 1)
      else if (before !== undefined && ranks) limit(reading, before, order, at - 1, after)
      else if (reading.areFree(at, after)) superlative(reading, at, match.length, order)
    }
  }
}
