/** The default aggregate function of a column: total or average. */
import type { Analysis } from "../requirements/Requirements.ts"

const listed = (words: string): ReadonlySet<string> => new Set(words.split(" "))

/** Words in names of columns whose values cannot be summed: prices, ages, rates. */
const averaged = listed(
  "price rate ratio percent percentage pct share score rating rank grade index level " +
    "temp temperature humidity pressure wind speed velocity magnitude depth elevation altitude " +
    "latitude longitude lat lon age height length width weight mass size bill beak flipper " +
    "avg mean average median max min margin mpg mileage economy acceleration horsepower " +
    "displacement efficiency expectancy expect fertility mortality satisfaction nps duration " +
    "hours delay time latency per gallon density voltage open close high low",
)

/** Words that override the others: "total delay", "number of hours". */
const added = listed("total sum count number num amount qty quantity units volume sales revenue")

/** Words in names of numeric identifiers. */
const naming = listed(
  "id key code zip postcode year month day number no lat lon latitude longitude",
)

const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)

/** Whether the column holds numeric identifiers. */
export const identifies = (name: string): boolean => naming.has(wordsOf(name).at(-1) ?? "")

/** `average` if no column's values can be summed, by their names; else `total`. */
export const usualFunction = (columns: ReadonlyArray<string>): Analysis => {
  const averages = (name: string) => {
    const words = wordsOf(name)
    return words.some((word) => averaged.has(word)) && !words.some((word) => added.has(word))
  }
  return columns.length > 0 && columns.every(averages) ? "average" : "total"
}
